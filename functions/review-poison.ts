import { app } from '@azure/functions';
import { runtime } from '../shared/runtime.ts';

app.storageQueue('review-poison', {
  queueName: 'gatehouse-wake-poison',
  connection: 'GATEHOUSE_STORAGE',
  handler: (message, context) => runtime().poison(message, context),
});
