/** Small files that take much memory and time to decode. */

import { setTimeout as wait } from 'node:timers/promises';
import { requestGeneration, requestList, requestSignIn } from '#tests/support/api-client.ts';
import { createBenchSeller } from '#tests/support/connected-seller.ts';
import { flatJpeg, interlacedPng } from '#tests/support/large-photos.ts';
import { limitMs } from '#tests/support/machine.ts';
import { samplePrompt } from '#tests/support/sample-photo.ts';
import { ms, quantile } from '#tests/support/statistics.ts';
import { createUnpaidAccounts } from './accounts.ts';
import { watchMemory } from './memory.ts';
import { answered, below, type Figure, megabytes, seconds, sendSteadily, testAttack } from './runner.ts';

const attackers = 4;
const uploads = 12;
/** Sign-ins are limited to five per minute and account, so the other users take turns. */
const otherUsers = 90;
const signInsPerSecond = 4;
const listsPerSecond = 10;
/** Minimum duration of a measurement: uploads that are rejected at once end too soon to measure. */
const minDurationMs = 4_000;
const maxBytes = 900_000_000;
const maxMs = 500;

testAttack(
  `${uploads} photos at once from ${attackers} sellers, each small as a file and large when decoded`,
  async (stack) => {
    const server = stack.process('server');
    const sellers = await Promise.all(Array.from({ length: attackers }, () => createBenchSeller(stack)));
    const others = await createUnpaidAccounts(stack, otherUsers, 'other');
    const figures: Figure[] = [];
    for (const { what, photos } of volleys()) {
      const memory = watchMemory(server.pid);
      const signIns = sendSteadily(signInsPerSecond, () => {
        const [next] = others.splice(0, 1);
        others.push(next!);
        return requestSignIn(stack.url, next!);
      });
      const lists = sendSteadily(listsPerSecond, () => requestList(stack.url, sellers[0]!.token));
      const began = performance.now();
      const statuses = await Promise.all(
        Array.from({ length: photos.length === 0 ? 0 : uploads }, (_, index) =>
          upload(stack.url, sellers[index % attackers]!.token, photos[index % photos.length]!),
        ),
      );
      const tookMs = performance.now() - began;
      await wait(Math.max(0, minDurationMs - tookMs));
      const [signInMs, listMs] = await Promise.all([signIns.stop(), lists.stop()]);
      const peak = memory.stop();
      figures.push(
        answered(`${what}: replies within ${seconds(tookMs)}`, statuses, 202, 422, 503),
        below(`${what}: peak memory of the server and its child processes`, peak, maxBytes, megabytes),
        slowest(`${what}: another user's sign-in, p99`, signInMs),
        slowest(`${what}: a seller's list, p99`, listMs),
      );
    }
    return figures;
  },
);

/** No photos as a baseline, photos over the pixel limit, and the largest accepted ones; built before measuring begins. */
function volleys(): { what: string; photos: Buffer[] }[] {
  const large = [interlacedPng(10_000, 10_000), flatJpeg(10_000, 10_000, { progressive: true })];
  const accepted = [
    flatJpeg(8_192, 6_144),
    interlacedPng(5_792, 4_344),
    flatJpeg(8_192, 6_144, { progressive: true }),
  ];
  return [
    { what: 'nothing uploaded', photos: [] },
    { what: `${sizes(large)} of 100 megapixels`, photos: large },
    { what: `${sizes(accepted)} of 50, 25 and 50 megapixels`, photos: accepted },
  ];
}

const sizes = (photos: readonly Buffer[]) =>
  `${photos.map(({ length }) => (length / 1e6).toFixed(1)).join(', ')} MB`;

const slowest = (what: string, times: readonly number[]): Figure =>
  below(`${what} of ${times.length}`, quantile(times, 0.99), limitMs(maxMs), ms);

/** @returns the response's status; 0 if the connection broke */
async function upload(url: string, token: string, photo: Buffer): Promise<number> {
  const form = { prompt: samplePrompt, photo: new Blob([new Uint8Array(photo)]), fileName: 'photo' };
  try {
    const response = await requestGeneration(url, token, form);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
