import { app } from '@azure/functions';
import { runtime } from '../shared/runtime.ts';

app.http('health', {
  route: 'health',
  methods: ['GET'],
  authLevel: 'anonymous',
  handler: () => runtime().health(),
});
