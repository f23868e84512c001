import type { Invariant } from '../sim/violation.ts';

/** A mistake that somebody could make in the protocol, as a change of its source. */
export interface Mutant {
  readonly name: string;
  /** Path from shared/sessions. */
  readonly file: string;
  /** Exact text and what it becomes, one after the other; each text must occur exactly once. */
  readonly patches: readonly (readonly [from: string, to: string])[];
  /** The promises that this mistake breaks; the first one found must be among them. */
  readonly killedBy: readonly Invariant[];
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'idle release without the compare-and-swap on the head',
    file: 'release.ts',
    patches: [["    { kind: 'replace', rowKey: HEAD_KEY, values: head.values, etag: head.etag },\n", '']],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'no fence',
    file: 'lease.ts',
    patches: [
      [
        "        { kind: 'replace', rowKey: LEASE_KEY, values, etag },\n        ...actions,\n",
        "        ...(actions.length > 0 ? actions : [{ kind: 'replace', rowKey: LEASE_KEY, values, etag } as const]),\n",
      ],
    ],
    killedBy: ['only-the-holder-writes', 'settles-exactly-once'],
  },
  {
    name: 'no guard',
    file: 'take-lease.ts',
    patches: [
      [
        'await queue.send(guardFor(pr, fence), timings.leaseMs + timings.guardSlackMs);',
        "{ messageId: String(guardFor(pr, fence).v), popReceipt: '' };",
      ],
    ],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'guard after the lease',
    file: 'take-lease.ts',
    patches: [
      [
        'const guard = await queue.send(guardFor(pr, fence), timings.leaseMs + timings.guardSlackMs);',
        "let guard = { messageId: '', popReceipt: '' };",
      ],
      [
        "if (result.kind === 'done') return",
        "if (result.kind === 'done') guard = await queue.send(guardFor(pr, fence), timings.leaseMs + timings.guardSlackMs);\n    if (result.kind === 'done') return",
      ],
    ],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'wake before the release on retry',
    file: 'release.ts',
    patches: [
      [
        '  const result = await lease.free([]);\n',
        '  await store.queue.send(plainWake(pr), delayMs);\n  const result = await lease.free([]);\n',
      ],
      [
        "  if (result.kind === 'unclear') return;\n  await store.queue.send(plainWake(pr), delayMs);\n",
        "  if (result.kind === 'unclear') return;\n",
      ],
    ],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'guard deleted before the wake',
    file: 'release.ts',
    patches: [
      [
        '  await store.queue.send(plainWake(pr), delayMs);\n  await store.queue.delete(lease.guard);\n',
        '  await store.queue.delete(lease.guard);\n  await store.queue.send(plainWake(pr), delayMs);\n',
      ],
    ],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'a lost race returns at once',
    file: 'drain.ts',
    patches: [["if (lease === 'again') continue;", "if (lease === 'again') return 'held_by_other';"]],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'a conflict when taking the lease is not looked into',
    file: 'take-lease.ts',
    patches: [
      [
        'const stored = await table.get(partitionKey, LEASE_KEY);',
        'const stored = await Promise.resolve(undefined as Awaited<ReturnType<typeof table.get>>);',
      ],
    ],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'the delivery is read after the query',
    file: 'drain.ts',
    patches: [
      [
        '    if (await isDeliveryPending(store, partitionKey, message)) {',
        '    const session = await readSession(store, partitionKey);\n    if (await isDeliveryPending(store, partitionKey, message)) {',
      ],
      ['    }\n    const session = await readSession(store, partitionKey);\n', '    }\n'],
    ],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'a newer guard dropped',
    file: 'drain.ts',
    patches: [['guard !== undefined && guard < fence', 'guard !== undefined && guard !== fence']],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'append before send',
    file: 'append.ts',
    patches: [
      [
        'const receipt = await queue.send(message, timings.wakeMs);',
        'const receipt = undefined as unknown as Awaited<ReturnType<typeof queue.send>>;',
      ],
      [
        'await queue.reschedule(receipt, plainWake(pr), 0).catch(() => false)',
        'receipt !== undefined && message === undefined',
      ],
    ],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'no attempt count',
    file: 'run-one.ts',
    patches: [['attempts: job.attempts + 1 }', 'attempts: job.attempts }']],
    killedBy: ['attempts-are-bounded'],
  },
  {
    name: 'a wake is dropped when its delivery is not there yet',
    file: 'drain.ts',
    patches: [['      await store.queue.send(message, store.timings.wakeMs);\n', '']],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'the lease is deleted on release',
    file: 'lease.ts',
    patches: [
      [
        "[{ kind: 'replace', rowKey: LEASE_KEY, values, etag }, ...others]",
        "[values.v === -1 ? { kind: 'replace', rowKey: LEASE_KEY, values, etag } : { kind: 'delete', rowKey: LEASE_KEY }, ...others]",
      ],
    ],
    killedBy: ['fence-only-grows'],
  },
  {
    name: 'an append infers its success from a conflict',
    file: 'append.ts',
    patches: [
      [
        "if (result.kind === 'done') return",
        "if (result.kind === 'done' || result.status === 409 || result.status === 404) return",
      ],
    ],
    killedBy: ['acknowledged-is-durable'],
  },
  {
    name: 'a drain infers from a conflict that it took the lease',
    file: 'take-lease.ts',
    patches: [
      [
        "if (result.kind === 'done') return holdLease(store, { ...held, etag: result.etags[0] ?? '' });",
        "if (result.kind === 'done' || result.status === 409 || result.status === 412) return holdLease(store, { ...held, etag: result.kind === 'done' ? (result.etags[0] ?? '') : ((await table.get(partitionKey, LEASE_KEY))?.etag ?? '') });",
      ],
    ],
    killedBy: ['only-the-holder-writes', 'fence-only-grows', 'settles-exactly-once'],
  },
  {
    name: 'an idle release infers its success from a conflict',
    file: 'release.ts',
    patches: [
      [
        "  if (result.kind === 'unclear') {\n",
        "  if (result.kind === 'unclear' && result.status === undefined) {\n",
      ],
    ],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'poison is only recorded',
    file: 'poison.ts',
    patches: [['  await store.queue.send({ ...parsed.data, poisoned: poisoned + 1 }, delayMs);\n', '']],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'the guard is deleted although the lease may still be taken',
    file: 'take-lease.ts',
    patches: [['if (CONFLICTS.includes(result.status)) {', "if (result.kind === 'unclear') {"]],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'a refused try deletes the guard of one that may still arrive',
    file: 'take-lease.ts',
    patches: [['if (!mayArrive) await queue.delete(guard);', 'await queue.delete(guard);']],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'the guard of an expired holder is finished although the lease was not taken for certain',
    file: 'take-lease.ts',
    patches: [
      ['if (!isGuardOfHolder) return', 'if (!isGuardOfHolder || receivedGuard !== undefined) return'],
    ],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'every refused try to take the lease leaves a guard',
    file: 'take-lease.ts',
    patches: [['      if (!mayArrive) await queue.delete(guard);\n', '']],
    killedBy: ['messages-stay-few'],
  },
  {
    name: 'an append is made after its message expired',
    file: 'append.ts',
    patches: [['    if (clock.now() - startedAt > timings.appendMs) throw gaveUp(timings.appendMs);\n', '']],
    killedBy: ['pending-job-has-a-message'],
  },
  {
    name: 'a drain writes with the ETag of the lease that replaced its own',
    file: 'lease.ts',
    patches: [
      [
        "if (kind === 'ours' && row !== undefined) etag = row.etag;",
        'if (row !== undefined) etag = row.etag;',
      ],
      ["    if (isLost) return { kind: 'unclear', status: undefined };\n", ''],
    ],
    killedBy: ['only-the-holder-writes', 'fence-only-grows'],
  },
  {
    name: 'an expired lease without jobs is left as it is',
    file: 'drain.ts',
    patches: [["if (jobs.length === 0 && owner === '') return", 'if (jobs.length === 0) return']],
    killedBy: ['comes-to-rest', 'pending-job-has-a-message'],
  },
  {
    name: 'a drain starts from an empty state when it first finds no job',
    file: 'work-through.ts',
    patches: [
      ['let state = await readState(store, lease.partitionKey);', 'let state: PullRequestState | undefined;'],
      [
        'const work: Work = { ...session, head, state };',
        'state ??= session.jobs.length === 0 ? {} : await readState(store, lease.partitionKey);\n      const work: Work = { ...session, head, state };',
      ],
    ],
    killedBy: ['state-is-kept'],
  },
  {
    name: 'a job is removed before its run is known to have ended',
    file: 'run-one.ts',
    patches: [
      [
        'if ((await lease.fencedWrite([mergeAttempts(counted)]))',
        "if ((await lease.fencedWrite([{ kind: 'delete', rowKey: jobKey(job.ticket) }]))",
      ],
    ],
    killedBy: ['settles-exactly-once'],
  },
  {
    name: 'the dead letter is written after the job is removed',
    file: 'failed-job.ts',
    patches: [
      ['  await createDeadLetter(store, lease.partitionKey, job);\n', ''],
      [
        "  return lease.fencedWrite([{ kind: 'delete', rowKey: jobKey(job.ticket) }]);\n}\n\nasync function",
        "  const end = await lease.fencedWrite([{ kind: 'delete', rowKey: jobKey(job.ticket) }]);\n  await createDeadLetter(store, lease.partitionKey, job);\n  return end;\n}\n\nasync function",
      ],
    ],
    killedBy: ['settles-exactly-once'],
  },
];
