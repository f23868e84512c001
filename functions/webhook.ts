import { app } from '@azure/functions';
import { runtime } from '../shared/runtime.ts';

app.http('webhook', {
  route: 'webhooks/{instance}',
  methods: ['POST'],
  authLevel: 'anonymous',
  handler: (request, context) => runtime().webhook(request, context),
});
