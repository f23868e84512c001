import { QueueServiceClient } from '@azure/storage-queue';
import { expect, it } from 'vitest';
import { startAzurite } from '../../../infra/local/azurite.ts';
import { createQueues } from '../../../infra/local/host/create-queues.ts';
import type { QueueFunction } from '../../../infra/local/host/function-catalog.ts';
import { readHostSettings } from '../../../infra/local/host/host-settings.ts';
import { startQueueListeners } from '../../../infra/local/host/queue-listeners.ts';
import { createFakeClock } from '../../unit/local-host/fake-clock.ts';
import { waitUntil } from './wait-until.ts';

function describeQueue(queueName: string): QueueFunction {
  return {
    trigger: 'queue',
    name: queueName,
    bindingName: 'in',
    queueName,
    connection: 'STORE',
    registered: { metadata: { name: queueName, bindings: {} }, callback: () => undefined },
  };
}

it('a message that becomes poison wakes the listener of the poison queue in the middle of its pause', async () => {
  const azurite = await startAzurite();
  await createQueues(azurite.connectionString, ['work', 'work-poison']);
  const service = QueueServiceClient.fromConnectionString(azurite.connectionString);
  await service.getQueueClient('work').sendMessage(Buffer.from('{}').toString('base64'));
  // Time stands still, so a pause ends only when something wakes the listener.
  const clock = createFakeClock('2026-12-01T00:00:00Z');
  const delivered: string[] = [];
  const listeners = await startQueueListeners({
    functions: [describeQueue('work-poison'), describeQueue('work')],
    settings: readHostSettings({ extensions: { queues: { maxDequeueCount: 1 } } }).queues,
    environment: { STORE: azurite.connectionString },
    visibilityMs: 600_000,
    minRenewalMs: 60_000,
    clock,
    random: () => 0.5,
    log: () => undefined,
    invoke: async (item) => {
      if (item.name === 'work') {
        // Both listeners pause, and the renewal of this message waits.
        await waitUntil('the pauses', () => clock.sleeping() === 3);
        throw new Error('planned failure');
      }
      delivered.push(item.name);
    },
  });
  await waitUntil('the poison message', () => delivered.length === 1);
  expect(delivered).toEqual(['work-poison']);
  await listeners.stop();
  await azurite.stop();
});
