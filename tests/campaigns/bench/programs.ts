/**
 * (e) Reads of programs beside those of the app: 200 a second of `/api/v1` with API keys, and as many of the routes of the web app
 * with sessions, in turns. So many sellers share them that none passes the limit of a seller, which is as in production.
 */
import { Agent } from 'node:http';
import { loadavg } from 'node:os';
import { paths, usagePaths, v1Paths, v1UsagePath } from '#contract';
import { requestLimits } from '#contract/request-limits.ts';
import { openAccount } from '#tests/campaigns/support/accounts.ts';
import {
  insertFinishedGenerations,
  listGenerationsOf,
  passTimeOfLimits,
} from '#tests/campaigns/support/rows.ts';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { giveKey } from '#tests/support/api-keys.ts';
import { cpuMs } from '#tests/support/process-usage.ts';
import { ms, quantile } from '#tests/support/statistics.ts';
import { imageOf } from './library.ts';
import { get } from './list.ts';
import { atRate } from './sign-in.ts';

const requestsPerSecond = 200;
/** Images of each seller. */
const images = 200;
/** Connections that the readers share, as behind a proxy. A reply that waits for one counts from when it was due. */
const connections = 32;
/** How long both are warmed up, in s. */
const warmUpSeconds = 5;

/** What is read, and where a program and where the app reads it. @param id of an image */
const reads = [
  { name: 'an image', v1: v1Paths.generation, app: paths.generation },
  { name: 'a page of images', v1: () => v1Paths.generations, app: () => paths.library },
  { name: 'usage', v1: () => v1UsagePath, app: () => usagePaths.usage },
  { name: 'balance', v1: () => v1Paths.balance, app: () => paths.me },
] as const satisfies { name: string; v1(id: string): string; app(id: string): string }[];
type Side = 'v1' | 'app';

interface Reader {
  image: string;
  /** What is shown to be let in. */
  v1: string;
  app: string;
}

/** Reads for so many seconds from each side in turn, and prints how long the replies took. */
export async function benchPrograms(stack: CampaignStack, seconds: number): Promise<void> {
  const { requests, seconds: window } = requestLimits.seller.api;
  const sellers = Math.ceil((requestsPerSecond * window * 1.2) / requests);
  const readers = await Promise.all(Array.from({ length: sellers }, () => createReader(stack)));
  // In turn, so that no connection is idle for so long that the server closes it.
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  const measure = (side: Side, duration: number) => measureSide(stack, readers, agent, side, duration);
  try {
    for (const side of ['v1', 'app'] as const) await measure(side, warmUpSeconds);
    console.log(
      `(e) ${requestsPerSecond} reads a second for ${seconds} s, by ${sellers} sellers with ${images} images each: p50 / p99, processor time of the server for one; load ${loadavg()[0]!.toFixed(1)}`,
    );
    for (const side of ['v1', 'app', 'v1', 'app'] as const) console.log(await measure(side, seconds));
    console.log(`    load ${loadavg()[0]!.toFixed(1)}`);
  } finally {
    agent.destroy();
  }
}

async function createReader(stack: CampaignStack): Promise<Reader> {
  const { id, token } = await openAccount(stack, 'enterprise');
  // One an hour, so that usage has something to count.
  const made = (index: number) => ({ created_at: new Date(Date.now() - index * 3_600_000) });
  await insertFinishedGenerations(stack.db, images, (index) => ({ ...imageOf(id, index), ...made(index) }));
  const [first] = await listGenerationsOf(stack.db, [id]);
  return { image: first!._id, v1: await giveKey(stack, { id }), app: token };
}

/** Reads at a fixed rate, without waiting for earlier replies. @returns a line of the table */
async function measureSide(
  { url, db, process }: CampaignStack,
  readers: readonly Reader[],
  agent: Agent,
  side: Side,
  seconds: number,
): Promise<string> {
  await passTimeOfLimits(db, requestLimits.seller.api.seconds);
  const times = reads.map((): number[] => []);
  const { pid } = process('server');
  const before = cpuMs(pid);
  let sent = 0;
  await atRate(requestsPerSecond, seconds, async () => {
    const kind = sent % reads.length;
    const reader = readers[Math.floor(sent / reads.length) % readers.length]!;
    sent += 1;
    const began = performance.now();
    await get(agent, url + reads[kind]![side](reader.image), reader[side]);
    times[kind]!.push(performance.now() - began);
  });
  const processor = ((cpuMs(pid) - before) / sent).toFixed(2);
  const cell = (values: readonly number[]) => `${ms(quantile(values, 0.5))} / ${ms(quantile(values, 0.99))}`;
  const kinds = reads.map(({ name }, kind) => `${name} ${cell(times[kind]!)}`);
  return `    ${side.padEnd(4)} ${cell(times.flat())}, ${processor} ms; ${kinds.join('; ')}`;
}
