/** Requests to Packshot's API that the benchmarks and attacks send. */
import { randomUUID } from 'node:crypto';
import { paths, type SessionReply } from '#contract';

export interface Credentials {
  email: string;
  password: string;
}

/** Sends a sign-in. @returns the response, whatever its status */
export function requestSignIn(url: string, { email, password }: Credentials): Promise<Response> {
  return fetch(url + paths.session, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
}

/** @throws Error when the sign-in fails */
export async function signIn(url: string, credentials: Credentials): Promise<SessionReply> {
  const response = await requestSignIn(url, credentials);
  if (response.status !== 200)
    throw new Error(`sign-in answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as SessionReply;
}

/** Sends a request in a session, with a body of JSON or none. @returns the response, whatever its status */
export function requestAs(
  url: string,
  token: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  if (body === undefined) return fetch(url + path, { method, headers });
  const json = { ...headers, 'content-type': 'application/json' };
  return fetch(url + path, { method, headers: json, body: JSON.stringify(body) });
}

/** Requests the first page of a seller's generations. @returns the response, whatever its status */
export function requestList(url: string, token: string, signal?: AbortSignal): Promise<Response> {
  return fetch(url + paths.generations, {
    headers: { authorization: `Bearer ${token}` },
    signal: signal ?? null,
  });
}

/** Submits a generation of one photo, by default under a new idempotency key. @returns the response, whatever its status */
export function requestGeneration(
  url: string,
  token: string,
  { prompt, photo, fileName }: { prompt: string; photo: Blob; fileName: string },
  idempotencyKey: string = randomUUID(),
): Promise<Response> {
  const form = new FormData();
  form.set('prompt', prompt);
  form.set('images', photo, fileName);
  return fetch(url + paths.generations, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': idempotencyKey },
    body: form,
  });
}
