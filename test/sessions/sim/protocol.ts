import type { appendJob } from '../../../shared/sessions/append.ts';
import type { decideControl } from '../../../shared/sessions/control.ts';
import type { drainMessage } from '../../../shared/sessions/drain.ts';
import type { handlePoison } from '../../../shared/sessions/poison.ts';
import type { sweepSessions } from '../../../shared/sessions/sweep.ts';

/** The product's entry points, passed in so that a patched copy of them can be explored in the same way. */
export interface Protocol {
  readonly appendJob: typeof appendJob;
  readonly drainMessage: typeof drainMessage;
  readonly decideControl: typeof decideControl;
  readonly handlePoison: typeof handlePoison;
  readonly sweepSessions: typeof sweepSessions;
}
