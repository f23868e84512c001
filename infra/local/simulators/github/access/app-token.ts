import { verify } from 'node:crypto';
import { z } from 'zod';
import type { SimApp } from '../state/state.ts';

const Header = z.looseObject({ alg: z.string() });
const Claims = z.looseObject({
  iat: z.unknown(),
  exp: z.unknown(),
  iss: z.union([z.string(), z.number()]),
});

export type AppTokenCheck = { readonly ok: true } | { readonly ok: false; readonly message: string };

const MAX_LIFETIME_SECONDS = 600;

function decode(part: string | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function hasValidSignature(token: string, publicKeyPem: string): boolean {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  return verify('RSA-SHA256', Buffer.from(token.slice(0, end)), publicKeyPem, signature);
}

/** Checks the JSON web token an App signs in with: RS256, issuer, and a life of at most ten minutes. */
export function checkAppToken(token: string, app: SimApp, nowMs: number): AppTokenCheck {
  const parts = token.split('.');
  const header = Header.safeParse(decode(parts[0]));
  const claims = Claims.safeParse(decode(parts[1]));
  const undecodable = { ok: false, message: 'A JSON web token could not be decoded' } as const;
  if (parts.length !== 3 || !header.success || !claims.success) return undecodable;
  if (header.data.alg !== 'RS256' || !hasValidSignature(token, app.publicKeyPem)) return undecodable;
  const { iat, exp, iss } = claims.data;
  const now = Math.floor(nowMs / 1000);
  if (String(iss) !== String(app.id) && iss !== app.clientId) {
    return { ok: false, message: 'Integration not found' };
  }
  if (typeof iat !== 'number' || !Number.isInteger(iat) || iat > now) {
    return {
      ok: false,
      message:
        "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    };
  }
  if (typeof exp !== 'number' || exp <= now) {
    return {
      ok: false,
      message:
        "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    };
  }
  if (exp > now + MAX_LIFETIME_SECONDS) {
    return { ok: false, message: "'Expiration time' claim ('exp') is too far in the future" };
  }
  return { ok: true };
}
