/** API keys of sellers, and requests with them. */
import { type ApiScope, apiScopes, type ErrorReply, v1Versions } from '#contract';
import { hashKey, newKey } from '#server/auth/key-format.ts';
import { insertApiKey, type NewApiKey } from '#shared/data/accounts/api-keys.ts';
import type { Db } from '#shared/data/db.ts';
import type { Answer, Seller } from './seller.ts';

export const allScopes = Object.keys(apiScopes) as ApiScope[];

/** Gives a seller an API key, by default with all scopes, without end and from anywhere. @returns the key */
export async function giveKey(
  { db }: { db: Db },
  { id }: Pick<Seller, 'id'>,
  details: Partial<NewApiKey> = {},
): Promise<string> {
  const key = newKey(details.test ? 'test' : 'live');
  const row = await insertApiKey(db, id, {
    name: 'Shop import',
    hash: hashKey(key),
    hint: key.slice(-4),
    scopes: allScopes,
    networks: [],
    version: v1Versions[0],
    created_at: new Date(),
    expires_at: null,
    ...details,
  });
  if (!row) throw new Error('the seller has as many keys as there may be');
  return key;
}

/** Sends a request with a key. @param body sent as JSON, or as it is if it is a form */
export async function callWithKey<Body = unknown>(
  url: string,
  key: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer<Body>> {
  const isForm = body instanceof FormData;
  const reply = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && !isForm && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.includes('json');
  return { status: reply.status, headers: reply.headers, body: (isJson ? JSON.parse(text) : text) as Body };
}

/** Sends requests with one key. `Usual`: the body of most answers. */
export type Program<Usual = ErrorReply> = <Body = Usual>(
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Answer<Body>>;

export const programOf =
  <Usual = ErrorReply>(url: string, key: string): Program<Usual> =>
  (method, path, body, headers) =>
    callWithKey(url, key, method, path, body, headers);
