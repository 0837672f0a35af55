/** How sellers send requests, with the retries of the web app. */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { colouredPhoto } from '#tests/support/photos.ts';
import type { Random } from '#tests/support/random.ts';
import type { Reply } from './client.ts';
import type { ChaosSeller, Stores } from './seller.ts';

/** What a seller does. @returns a line for the report of a violation */
export type Action = (stores: Stores, seller: ChaosSeller, random: Random) => Promise<string>;

export const photo = await colouredPhoto('#b5482a', 96, 80);
export const photoSha256 = createHash('sha256').update(photo).digest('hex');

/** Errors after which the same request is sent again. */
const temporary = new Set([
  'UNAVAILABLE',
  'INTERNAL',
  'STORAGE_UNAVAILABLE',
  'BILLING_BUSY',
  'TOO_MANY_UPLOADS',
]);
const retryMs = 120;

/** Sends a request until it is answered and the answer is not temporary. @param tries how often; then undefined */
export async function untilAnswered<Body>(
  send: () => Promise<Reply<Body>>,
  tries: number,
): Promise<Reply<Body> | undefined> {
  for (let tried = 1; ; tried += 1) {
    const reply = await send().catch(() => undefined);
    if (reply && !temporary.has(reply.code ?? '')) return reply;
    if (tried === tries) return undefined;
    await wait(retryMs);
  }
}

/** More than enough to outlast the faults of a run: a seller does not give up a form. */
export const formTries = 100;
/** What a seller clicks on is tried again once; then it is the seller's turn. */
const clickTries = 2;

export const click = <Body>(seller: ChaosSeller, method: string, path: string, body?: unknown) =>
  untilAnswered(() => seller.client.send<Body>(method, path, body), clickTries);

export const outcome = (reply: Reply<unknown> | undefined) =>
  reply ? (reply.code ?? reply.status) : 'no answer';
