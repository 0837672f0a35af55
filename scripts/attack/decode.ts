/** Small files that take much memory and time to unpack. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { hash } from '@node-rs/argon2';
import { paths } from '#contract';
import { createBenchSeller, samplePrompt } from '#scripts/bench/seller.ts';
import type { BenchStack } from '#scripts/bench/stack.ts';
import { ms, quantile } from '#scripts/bench/statistics.ts';
import { createAccount } from '#shared/data/accounts/create.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Attack, Figure } from './attack.ts';
import { flatJpeg, interlacedPng } from './large-photos.ts';
import { watchMemory } from './memory.ts';

const attackers = 4;
const uploads = 12;
/** One address may try to sign in five times a minute, so strangers take turns. */
const strangers = 90;
const signInsASecond = 4;
const listsASecond = 10;
/** Measured at least so long, since what is refused at once ends soon. */
const leastMs = 4_000;
const mostMegabytes = 900;
const mostMs = 500;
const megabyte = 1_000_000;

export const decode: Attack = {
  name: 'decode',
  title: `${uploads} photos at once from ${attackers} sellers, each small as a file and large when it is unpacked`,
  async run(stack) {
    const server = stack.processes.find(({ name }) => name === 'server')!;
    const sellers = await Promise.all(Array.from({ length: attackers }, () => createBenchSeller(stack)));
    const others = await createStrangers(stack);
    const figures: Figure[] = [];
    try {
      for (const { what, photos } of volleys()) {
        const memory = watchMemory(server.pid);
        const requests = watchOthers(stack, others, sellers[0]!.token);
        const began = performance.now();
        const answers = await Promise.all(
          Array.from({ length: photos.length === 0 ? 0 : uploads }, (_, index) =>
            upload(stack.url, sellers[index % attackers]!.token, photos[index % photos.length]!),
          ),
        );
        const tookMs = performance.now() - began;
        await wait(Math.max(0, leastMs - tookMs));
        const { signInMs, listMs } = await requests.stop();
        figures.push(
          ...figuresOf(what, { peak: memory.stop(), answers, tookMs }).slice(photos.length === 0 ? 1 : 0),
          slowest(`${what}: a stranger's sign-in, p99`, signInMs),
          slowest(`${what}: a seller's list, p99`, listMs),
        );
      }
      return figures;
    } finally {
      for (const seller of sellers) seller.close();
    }
  },
};

/** Nothing to compare with, the photos of the attack, and the largest that are taken; made before anything is measured. */
function volleys(): { what: string; photos: Buffer[] }[] {
  const large = [interlacedPng(10_000, 10_000), flatJpeg(10_000, 10_000, { progressive: true })];
  const taken = [
    flatJpeg(8_192, 6_144),
    interlacedPng(5_792, 4_344),
    flatJpeg(8_192, 6_144, { progressive: true }),
  ];
  return [
    { what: 'nothing uploaded', photos: [] },
    { what: `${sizes(large)} of 100 megapixels`, photos: large },
    { what: `${sizes(taken)} of 50, 25 and 50 megapixels`, photos: taken },
  ];
}

const sizes = (photos: readonly Buffer[]) =>
  `${photos.map(({ length }) => (length / megabyte).toFixed(1)).join(', ')} MB`;

function figuresOf(
  what: string,
  { peak, answers, tookMs }: { peak: number; answers: readonly number[]; tookMs: number },
): Figure[] {
  const counts = [...new Set(answers)]
    .toSorted((a, b) => a - b)
    .map((status) => `${answers.filter((each) => each === status).length} × ${status}`);
  return [
    {
      what: `${what}: answers`,
      asked: '202, 422 or 503',
      measured: `${counts.join(', ')} within ${(tookMs / 1_000).toFixed(1)} s`,
      held: answers.every((status) => [202, 422, 503].includes(status)),
    },
    {
      what: `${what}: memory of the server and its processes at the peak`,
      asked: `< ${mostMegabytes} MB`,
      measured: `${Math.round(peak / megabyte)} MB`,
      held: peak < mostMegabytes * megabyte,
    },
  ];
}

function slowest(what: string, times: readonly number[]): Figure {
  const p99 = quantile(times, 0.99);
  const measured = Number.isFinite(p99) ? `${ms(p99)} of ${times.length}` : `some of ${times.length} failed`;
  return { what, asked: `< ${mostMs} ms`, measured, held: p99 < mostMs };
}

/** @returns the answer's status; 0 when the connection broke */
async function upload(url: string, token: string, photo: Buffer): Promise<number> {
  const form = new FormData();
  form.set('prompt', samplePrompt);
  form.set('images', new Blob([new Uint8Array(photo)]), 'photo');
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() };
  try {
    const reply = await fetch(url + paths.generations, { method: 'POST', headers, body: form });
    await reply.arrayBuffer();
    return reply.status;
  } catch {
    return 0;
  }
}

interface Stranger {
  email: string;
  password: string;
}

async function createStrangers({ config }: BenchStack): Promise<Stranger[]> {
  const db = await connectDb(config.mongodbUrl);
  try {
    const password = `Aa1-${randomUUID()}`;
    // As Packshot hashes.
    const passwordHash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    const made = Array.from({ length: strangers }, async () => {
      const email = `stranger-${randomUUID()}@packshot.example`;
      const account = { email, fullName: 'A Stranger', passwordHash, plan: 'freelance' as const };
      await createAccount(db, { ...account, verified: true });
      return { email, password };
    });
    return await Promise.all(made);
  } finally {
    await db.close();
  }
}

/** Signs strangers in and reads a list at a fixed rate, whether or not the last has answered, until it is stopped. */
function watchOthers(stack: BenchStack, others: Stranger[], token: string) {
  const stopping = new AbortController();
  const timed = async (aSecond: number, send: () => Promise<Response>): Promise<number[]> => {
    const answers: Promise<number>[] = [];
    while (!stopping.signal.aborted) {
      answers.push(timeOf(send));
      await wait(1_000 / aSecond, undefined, { signal: stopping.signal }).catch(() => {});
    }
    return Promise.all(answers);
  };
  const headers = { 'content-type': 'application/json' };
  const signIns = timed(signInsASecond, () => {
    const [next] = others.splice(0, 1);
    others.push(next!);
    const body = JSON.stringify(next);
    return fetch(stack.url + paths.session, { method: 'POST', headers, body });
  });
  const lists = timed(listsASecond, () =>
    fetch(stack.url + paths.generations, { headers: { authorization: `Bearer ${token}` } }),
  );
  return {
    async stop() {
      stopping.abort();
      return { signInMs: await signIns, listMs: await lists };
    },
  };
}

/** @returns ms until the answer; without end when it is a refusal or never comes */
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
