import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { AppError } from '../../../shared/domain/app-error.ts';
import type { VirtualClock } from '../../unit/tools/virtual-clock.ts';

/**
 * What happens to one writing request. `lost_before`: it never arrives. `lost_after`: it takes effect, the answer
 * does not arrive. `late`: no answer, and the effect comes 39 s later. `stalled`: it takes effect and no answer ever
 * comes. `refused`, `limited`, `failed`: 422, 429 and a 500 although it took effect.
 */
export const PROVIDER_FAULTS = [
  'ok',
  'lost_before',
  'lost_after',
  'late',
  'stalled',
  'refused',
  'limited',
  'failed',
] as const;
export type ProviderFault = (typeof PROVIDER_FAULTS)[number];

const PostedBody = z.strictObject({ id: z.string(), body: z.string() });
export type PostedBody = z.infer<typeof PostedBody>;

/** A provider behind real HTTP on a free port. */
export interface LoopbackProvider {
  readonly comments: PostedBody[];
  /** Faults of the writing requests to come, in order; none left means ok. */
  faults: ProviderFault[];
  post(body: string): Promise<PostedBody>;
  list(): Promise<PostedBody[]>;
  close(): Promise<void>;
}

const LATE_MS = 39_000;
/** A new comment shows in the listing after this long. */
const LAG_MS = 2_000;

export async function startLoopbackProvider(clock: VirtualClock): Promise<LoopbackProvider> {
  const comments: PostedBody[] = [];
  const madeAt = new Map<PostedBody, number>();
  let nextId = 1;
  const state = { faults: [] as ProviderFault[] };
  const add = (body: string): PostedBody => {
    const made = { id: `c${nextId}`, body };
    nextId += 1;
    comments.push(made);
    madeAt.set(made, clock.now());
    return made;
  };

  const server = createServer((request, response) => {
    void answer(request, response);
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      reply(
        response,
        200,
        comments.filter((comment) => clock.now() - (madeAt.get(comment) ?? 0) >= LAG_MS),
      );
      return;
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const fault = state.faults.shift() ?? 'ok';
    switch (fault) {
      case 'ok':
        reply(response, 201, add(body));
        return;
      case 'lost_before':
        request.socket.destroy();
        return;
      case 'lost_after':
        add(body);
        request.socket.destroy();
        return;
      case 'late':
        void clock.sleep(LATE_MS).then(() => add(body));
        clock.busy -= 1;
        return;
      case 'stalled':
        add(body);
        clock.busy -= 1;
        return;
      case 'refused':
        reply(response, 422, {});
        return;
      case 'limited':
        reply(response, 429, {});
        return;
      case 'failed':
        add(body);
        reply(response, 500, {});
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const url = `http://127.0.0.1:${address.port}/comments`;

  const send = async (init: RequestInit): Promise<Response> => {
    clock.busy += 1;
    try {
      const response = await fetch(url, init);
      const text = await response.text();
      clock.busy -= 1;
      return new Response(text, { status: response.status });
    } catch {
      clock.busy -= 1;
      throw new AppError({ kind: 'transient', code: 'provider_unreachable', message: 'No answer.' });
    }
  };

  return {
    comments,
    get faults() {
      return state.faults;
    },
    set faults(faults) {
      state.faults = faults;
    },
    async post(body) {
      const response = await send({ method: 'POST', body });
      if (response.status === 201) return PostedBody.parse(await response.json());
      if (response.status === 422)
        throw new AppError({ kind: 'rejected', code: 'provider_refused', message: 'Refused.' });
      if (response.status === 429)
        throw new AppError({ kind: 'transient', code: 'provider_rate_limited', message: 'Limited.' });
      throw new AppError({ kind: 'transient', code: 'provider_failed', message: 'Failed.' });
    },
    list: async () => z.array(PostedBody).parse(await (await send({ method: 'GET' })).json()),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function reply(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
