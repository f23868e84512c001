import { app } from '@azure/functions';

// Without stream mode the host hands chunked webhook bodies over as empty ones, and every signature fails.
app.setup({ enableHttpStream: true });
