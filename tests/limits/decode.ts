/** Small files that take much memory and time to decode. */
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchStack } from '#tests/campaigns/bench/stack.ts';
import {
  type Credentials,
  requestGeneration,
  requestList,
  requestSignIn,
} from '#tests/support/api-client.ts';
import { createBenchSeller } from '#tests/support/connected-seller.ts';
import { flatJpeg, interlacedPng } from '#tests/support/large-photos.ts';
import { samplePrompt } from '#tests/support/sample-photo.ts';
import { ms, quantile } from '#tests/support/statistics.ts';
import { createUnpaidAccounts } from './accounts.ts';
import type { Attack, Figure } from './attack.ts';
import { watchMemory } from './memory.ts';

const attackers = 4;
const uploads = 12;
/** Sign-ins are limited to five per minute and account, so the other users take turns. */
const otherUsers = 90;
const signInsPerSecond = 4;
const listsPerSecond = 10;
/** Minimum duration of a measurement: uploads that are rejected at once end too soon to measure. */
const minDurationMs = 4_000;
const maxMegabytes = 900;
const maxMs = 500;
const megabyte = 1_000_000;

export const decode: Attack = {
  name: 'decode',
  title: `${uploads} photos at once from ${attackers} sellers, each small as a file and large when decoded`,
  async run(stack) {
    const server = stack.processes.find(({ name }) => name === 'server')!;
    const sellers = await Promise.all(Array.from({ length: attackers }, () => createBenchSeller(stack)));
    const others = await createUnpaidAccounts(stack, otherUsers, 'other');
    const figures: Figure[] = [];
    try {
      for (const { what, photos } of volleys()) {
        const memory = watchMemory(server.pid);
        const requests = watchOthers(stack, others, sellers[0]!.token);
        const began = performance.now();
        const statuses = await Promise.all(
          Array.from({ length: photos.length === 0 ? 0 : uploads }, (_, index) =>
            upload(stack.url, sellers[index % attackers]!.token, photos[index % photos.length]!),
          ),
        );
        const tookMs = performance.now() - began;
        await wait(Math.max(0, minDurationMs - tookMs));
        const { signInMs, listMs } = await requests.stop();
        figures.push(
          ...figuresOf(what, { peak: memory.stop(), statuses, tookMs }).slice(photos.length === 0 ? 1 : 0),
          slowest(`${what}: another user's sign-in, p99`, signInMs),
          slowest(`${what}: a seller's list, p99`, listMs),
        );
      }
      return figures;
    } finally {
      for (const seller of sellers) seller.close();
    }
  },
};

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
  `${photos.map(({ length }) => (length / megabyte).toFixed(1)).join(', ')} MB`;

function figuresOf(
  what: string,
  { peak, statuses, tookMs }: { peak: number; statuses: readonly number[]; tookMs: number },
): Figure[] {
  const counts = [...new Set(statuses)]
    .toSorted((a, b) => a - b)
    .map((status) => `${statuses.filter((each) => each === status).length} × ${status}`);
  return [
    {
      what: `${what}: replies`,
      limit: '202, 422 or 503',
      measured: `${counts.join(', ')} within ${(tookMs / 1_000).toFixed(1)} s`,
      passed: statuses.every((status) => [202, 422, 503].includes(status)),
    },
    {
      what: `${what}: peak memory of the server and its child processes`,
      limit: `< ${maxMegabytes} MB`,
      measured: `${Math.round(peak / megabyte)} MB`,
      passed: peak < maxMegabytes * megabyte,
    },
  ];
}

function slowest(what: string, times: readonly number[]): Figure {
  const p99 = quantile(times, 0.99);
  const measured = Number.isFinite(p99) ? `${ms(p99)} of ${times.length}` : `some of ${times.length} failed`;
  return { what, limit: `< ${maxMs} ms`, measured, passed: p99 < maxMs };
}

/** @returns the response's status; 0 if the connection broke */
async function upload(url: string, token: string, photo: Buffer): Promise<number> {
  const blob = new Blob([new Uint8Array(photo)]);
  try {
    const response = await requestGeneration(url, token, {
      prompt: samplePrompt,
      photo: blob,
      fileName: 'photo',
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** Signs other users in and requests a list at fixed rates, without waiting for earlier responses, until stopped. */
function watchOthers(stack: BenchStack, others: Credentials[], token: string) {
  const stopping = new AbortController();
  const timed = async (perSecond: number, send: () => Promise<Response>): Promise<number[]> => {
    const times: Promise<number>[] = [];
    while (!stopping.signal.aborted) {
      times.push(timeOf(send));
      await wait(1_000 / perSecond, undefined, { signal: stopping.signal }).catch(() => {});
    }
    return Promise.all(times);
  };
  const signIns = timed(signInsPerSecond, () => {
    const [next] = others.splice(0, 1);
    others.push(next!);
    return requestSignIn(stack.url, next!);
  });
  const lists = timed(listsPerSecond, () => requestList(stack.url, token));
  return {
    async stop() {
      stopping.abort();
      return { signInMs: await signIns, listMs: await lists };
    },
  };
}

/** @returns ms until the response; Infinity if it fails or its status is not 200 */
async function timeOf(send: () => Promise<Response>): Promise<number> {
  const began = performance.now();
  try {
    const reply = await send();
    await reply.arrayBuffer();
    return reply.status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
