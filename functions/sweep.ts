import { app } from '@azure/functions';
import { runtime } from '../shared/runtime.ts';

app.timer('sweep', {
  schedule: '%SWEEP_SCHEDULE%',
  handler: (_timer, context) => runtime().sweep(context),
});
