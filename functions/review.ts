import { app } from '@azure/functions';
import { runtime } from '../shared/runtime.ts';

app.storageQueue('review', {
  queueName: 'gatehouse-wake',
  connection: 'GATEHOUSE_STORAGE',
  handler: (message, context) => runtime().review(message, context),
});
