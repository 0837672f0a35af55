/** The account routes as an API client calls them. */
import { TOTP } from 'otpauth';
import {
  type DataExport,
  type ErrorReply,
  paths,
  type RecoveryCodes,
  type SessionReply,
  type TwoFactorSetup,
} from '#contract';
import { type Answer, openWindow, type Seller, testPassword } from './seller.ts';
import type { TestStack } from './stack.ts';

/** Calls a route with the seller's session. */
export function call<Body = ErrorReply>(
  seller: Pick<Seller, 'request'>,
  method: string,
  path: string,
  body?: object,
): Promise<Answer<Body>> {
  if (body === undefined) return seller.request<Body>(path, { method });
  return seller.request<Body>(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Posts to a route without a session. */
export async function post<Body = ErrorReply>(
  url: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Body; headers: Headers }> {
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  return {
    status: reply.status,
    body: (text === '' ? null : JSON.parse(text)) as Body,
    headers: reply.headers,
  };
}

/** Posts a sign-in; the password is `testPassword` unless given. */
export function signIn(
  url: string,
  details: { email: string; password?: string; code?: string },
  headers?: Record<string, string>,
) {
  const body = { password: testPassword, ...details };
  return post<SessionReply & ErrorReply>(url, paths.session, body, headers);
}

/** Signs the seller in once more. @returns the same seller with the new session's token */
export async function anotherSession(
  url: string,
  seller: Seller,
  headers?: Record<string, string>,
): Promise<Seller> {
  const { status, body } = await signIn(url, { email: seller.email }, headers);
  if (status !== 200) throw new Error(`sign-in answered ${status}: ${JSON.stringify(body)}`);
  const { token } = body;
  return {
    ...seller,
    token,
    openWindow: () => openWindow(url, token),
    ...withToken(seller, token),
  };
}

/** How the seller sends requests in another session. */
export function withToken(seller: Seller, token: string): Pick<Seller, 'request' | 'fetch'> {
  const inSession = (init: RequestInit = {}): RequestInit => ({
    ...init,
    headers: { ...Object(init.headers), authorization: `Bearer ${token}` },
  });
  return {
    request: (path, init) => seller.request(path, inSession(init)),
    fetch: (path, init) => seller.fetch(path, inSession(init)),
  };
}

/** Makes a seller with two-factor sign-in. The current code is used already; `codeOf(secret, 1)` is valid. */
export async function twoFactorSeller(
  stack: TestStack,
): Promise<{ seller: Seller; secret: string; code: string; recoveryCodes: string[] }> {
  const seller = await stack.seller();
  return { seller, ...(await turnOnTwoFactor(seller)) };
}

/** Turns two-factor sign-in on. @returns also the code that it was turned on with */
export async function turnOnTwoFactor(
  seller: Seller,
  password = testPassword,
): Promise<{ secret: string; code: string; recoveryCodes: string[] }> {
  const setup = await call<TwoFactorSetup>(seller, 'POST', paths.twoFactor, { password });
  const { secret } = setup.body;
  const code = codeOf(secret);
  const on = await call<RecoveryCodes>(seller, 'POST', paths.confirmTwoFactor, { code });
  if (on.status !== 200) throw new Error(`two-factor answered ${on.status}: ${JSON.stringify(on.body)}`);
  return { secret, code, recoveryCodes: on.body.recoveryCodes };
}

/** The code that an authenticator app shows. @param steps offset from now in steps of 30 seconds */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
}

/** A code of no time that the server recognises. */
export function wrongCode(secret: string): string {
  const validCodes = Array.from({ length: 25 }, (_, index) => codeOf(secret, index - 12));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (code) => !validCodes.includes(code),
  )!;
}

/** Asks for an export of all data. @returns the path of its ZIP, with the ticket */
export async function askForExport(
  seller: Pick<Seller, 'request'>,
  credentials: { password?: string; code?: string } = {},
): Promise<string> {
  const body = { password: testPassword, ...credentials };
  const reply = await call<DataExport>(seller, 'POST', paths.export, body);
  if (reply.status !== 200)
    throw new Error(`the export answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body.url;
}
