import { describe, expect, it } from 'vitest';
import { signature256 } from '../../../infra/local/simulators/github/webhooks/sign.ts';

describe('the signature of a delivery', () => {
  // https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
  it('equals the vector that GitHub publishes', () => {
    expect(signature256("It's a Secret to Everybody", 'Hello, World!')).toBe(
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    );
  });
});
