/** A long queue that many sellers watch. */
import { randomUUID } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import { paths, type SessionReply } from '#contract';
import type { BenchStack } from '#scripts/bench/stack.ts';
import { cpuMs, inParallel, ms, quantile } from '#scripts/bench/statistics.ts';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { createAccount } from '#shared/data/accounts/create.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import { insertQueuedGenerations } from '#shared/data/load-tests.ts';
import type { Attack, Figure } from './attack.ts';

const sellers = 50;
const windowsOfEach = 10;
const waiting = 10_000;
/** As often as the web app asks while something is pending, in ms. */
const pollMs = 4_000;
const measuredMs = 20_000;
/** Every window asks at least once before anything is measured. */
const warmUpMs = 6_000;

export const queueWatchers: Attack = {
  name: 'queue-watchers',
  title: `${waiting.toLocaleString('en')} generations wait, and ${sellers * windowsOfEach} windows watch them`,
  async run(stack) {
    // The queue is to stay as it is.
    await stack.processes.find(({ name }) => name === 'worker')?.stop();
    const db = await connectDb(stack.config.mongodbUrl);
    const windows: { token: string; socket: Socket }[] = [];
    try {
      const signedIn = await makeSellers(stack, db);
      await fillQueue(db, signedIn);
      for (const { token } of signedIn) {
        for (let index = 0; index < windowsOfEach; index += 1)
          windows.push(await openWindow(stack.url, token));
      }
      return await watch(stack, windows);
    } finally {
      for (const { socket } of windows) socket.disconnect();
      await db.close();
    }
  },
};

async function makeSellers({ url }: BenchStack, db: Db): Promise<{ id: string; token: string }[]> {
  const password = `Aa1-${randomUUID()}`;
  const passwordHash = await hashPassword(password, 'this program');
  const signedIn: { id: string; token: string }[] = [];
  for (let index = 0; index < sellers; index += 1) {
    const email = `watcher-${randomUUID()}@packshot.example`;
    const account = { email, fullName: 'Watching Seller', passwordHash, plan: 'freelance' as const };
    await createAccount(db, { ...account, verified: true });
    const reply = await fetch(url + paths.session, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    if (reply.status !== 200) throw new Error(`sign-in answered ${reply.status}: ${await reply.text()}`);
    const { user, token } = (await reply.json()) as SessionReply;
    signedIn.push({ id: user.id, token });
  }
  return signedIn;
}

/** Rows as a submit leaves them; of each seller the first has the best priority, as the queue's fairness has it. */
async function fillQueue(db: Db, signedIn: readonly { id: string }[]): Promise<void> {
  const began = Date.now() - waiting;
  await insertQueuedGenerations(
    db,
    Array.from({ length: waiting }, (_, index) => ({
      profile: signedIn[index % signedIn.length]!.id,
      prompt: 'Product on Wooden Table: in the morning',
      priority: 10_000 + Math.floor(index / signedIn.length),
      created_at: new Date(began + index),
    })),
  );
}

async function openWindow(url: string, token: string): Promise<{ token: string; socket: Socket }> {
  const socket = io(url, { path: paths.socket, auth: { token }, transports: ['websocket'], forceNew: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return { token, socket };
}

async function watch(
  { url, processes }: BenchStack,
  windows: readonly { token: string }[],
): Promise<Figure[]> {
  const server = processes.find(({ name }) => name === 'server')!;
  const times: number[] = [];
  const began = performance.now();
  const ends = began + warmUpMs + measuredMs;
  let cpuAtStart = 0;
  const warm = setTimeout(() => {
    cpuAtStart = cpuMs(server.pid) ?? Number.NaN;
  }, warmUpMs);
  await inParallel(windows.length, windows.length, async (index) => {
    // Windows were not opened at the same moment: their questions are spread over the interval.
    for (let due = began + (index / windows.length) * pollMs; due < ends; ) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      const asked = performance.now();
      const reply = await fetch(url + paths.generations, {
        headers: { authorization: `Bearer ${windows[index]!.token}` },
        signal: AbortSignal.timeout(60_000),
      }).catch(() => undefined);
      await reply?.arrayBuffer().catch(() => undefined);
      const took = performance.now() - asked;
      if (asked - began > warmUpMs) times.push(reply?.status === 200 ? took : 60_000);
      // Like the web app: who still waits for an answer asks no second time.
      while (due < performance.now()) due += pollMs;
    }
  });
  clearTimeout(warm);
  const seconds = (performance.now() - began - warmUpMs) / 1_000;
  const cpu = ((cpuMs(server.pid) ?? Number.NaN) - cpuAtStart) / (seconds * 10);
  const p99 = quantile(times, 0.99);
  return [
    {
      what: 'lists answered',
      asked: 'all',
      measured: `${times.length} in ${seconds.toFixed(0)} s`,
      held: true,
    },
    {
      what: 'list, p50 and p99',
      asked: 'p99 < 50 ms',
      measured: `${ms(quantile(times, 0.5))} and ${ms(p99)}`,
      held: p99 < 50,
    },
    { what: "server's share of a core", asked: '< 20 %', measured: `${cpu.toFixed(0)} %`, held: cpu < 20 },
  ];
}
