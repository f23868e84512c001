import { appendJob } from '../../../shared/sessions/append.ts';
import { decideControl } from '../../../shared/sessions/control.ts';
import { drainMessage } from '../../../shared/sessions/drain.ts';
import { handlePoison } from '../../../shared/sessions/poison.ts';
import { sweepSessions } from '../../../shared/sessions/sweep.ts';
import type { Protocol } from './protocol.ts';

/** The protocol as it ships. */
export const product: Protocol = { appendJob, decideControl, drainMessage, handlePoison, sweepSessions };
