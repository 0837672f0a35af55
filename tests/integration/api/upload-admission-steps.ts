/** Shared by the tests of the admission of uploads. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { paths } from '#contract';
import { unfinishedFiles } from '#tests/support/errors.ts';
import { limitMs } from '#tests/support/machine.ts';
import { multipart } from '#tests/support/multipart.ts';
import { padPng } from '#tests/support/odd-photos.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const uploads = { perOwner: 2, total: 3, waitingPerOwner: 10, waitingTotal: 10, waitMs: limitMs(2_000) };

export const test = testWithStack({ workers: 0, server: { uploads } });

/** An upload whose form is sent when the test decides. */
interface SlowUpload {
  answer: Promise<Answer<unknown>>;
  /** Sends enough of the form that a file of it is on the disk. */
  sendHalf(): Promise<void>;
  finish(): void;
  abort(): void;
}

export async function startUpload(
  stack: TestStack,
  seller: Seller,
  url = stack.url,
  key: string = randomUUID(),
): Promise<SlowUpload> {
  const { headers, body } = multipart([
    { name: 'prompt', value: 'On a table' },
    { name: 'images', fileName: 'a.png', value: padPng(await samplePhoto(), 1_000_000) },
  ]);
  const request: ClientRequest = httpRequest(url + paths.generations, {
    method: 'POST',
    agent: false,
    headers: {
      ...headers,
      'content-length': body.length,
      'idempotency-key': key,
      authorization: `Bearer ${seller.token}`,
    },
  });
  request.flushHeaders();
  request.on('error', () => {});
  // An upload that this test leaves open must not write files during the next one.
  onTestFinished(() => void request.destroy());
  const answer = once(request, 'response').then(async ([response]) => ({
    status: response.statusCode,
    headers: new Headers(response.headers),
    body: JSON.parse(await text(response)),
  }));
  // The test may abort the upload before it awaits the answer.
  answer.catch(() => {});
  const half = Math.floor(body.length / 2);
  let sent = 0;
  return {
    answer,
    async sendHalf() {
      const before = new Set(await unfinishedFiles(stack));
      request.write(body.subarray(0, half));
      sent = half;
      await expect
        .poll(async () => (await unfinishedFiles(stack)).filter((name) => !before.has(name)))
        .not.toEqual([]);
    },
    finish: () => request.end(body.subarray(sent)),
    abort: () => request.destroy(),
  };
}
