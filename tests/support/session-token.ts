/** Tokens of sessions, for programs and tests that start a session without signing in. */
import { createHmac } from 'node:crypto';
import { type SessionRow, tokenSeconds } from '#shared/data/accounts/sessions.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token signed with a key; HS256 unless the header says otherwise, unsigned for other algorithms. */
export function makeToken(
  claims: Record<string, unknown>,
  key: string,
  header: Record<string, unknown> = { alg: 'HS256', typ: 'JWT' },
): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  const hash = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' }[String(header.alg)];
  const signature = hash === undefined ? '' : createHmac(hash, key).update(signed).digest('base64url');
  return `${signed}.${signature}`;
}

/** A token of a session, as sign-in issues it. */
export function tokenOf(session: SessionRow, sessionSecret: string): string {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { sub: session.user_id, sid: session._id, aud: 'packshot', iat };
  return makeToken({ ...claims, exp: iat + tokenSeconds(session) }, sessionSecret);
}

/** The claims of a token, without verifying it. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
}
