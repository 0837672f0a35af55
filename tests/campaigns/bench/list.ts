/**
 * (c) Lists compared with a bare Fastify route for each, which asks for the same rows with the MongoDB driver
 * (bare-route.ts): the generations, a batch of 500 that is opened, and the library of a seller with 10,000 images.
 */
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { type GenerationList, paths, withoutItems } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { startProcess } from '#scripts/start/process.ts';
import { openAccount } from '#tests/campaigns/support/accounts.ts';
import { asInProduction } from '#tests/campaigns/support/processes.ts';
import {
  insertEndedBatch,
  insertFinishedGenerations,
  passTimeOfLimits,
} from '#tests/campaigns/support/rows.ts';
import { type CampaignStack, concurrency } from '#tests/campaigns/support/stack.ts';
import { cpuMs } from '#tests/support/process-usage.ts';
import { median } from '#tests/support/statistics.ts';
import { imageOf } from './library.ts';

/** The least share of the bare route's requests per second. */
const aim = 0.9;
/** Images of the seller, and rows of the batch. */
const [images, batchRows] = [10_000, 500];
/** Requests of a seller to a batch in a minute are limited: so many in a round are below that. */
const requestsMost = 500;

/** A list, and by what it is asked for. */
export interface ListRequest {
  name: string;
  path: string;
  token: string;
  sellerId: string;
}

/** The lists that are measured, and what they show. */
export interface FilledLists {
  requests: ListRequest[];
  batchId: string;
}

/** Gives two new sellers what their lists show: so many images as most have, and 10,000 with a batch of 500. */
export async function fillLists(stack: CampaignStack): Promise<FilledLists> {
  const { db } = stack;
  const [usual, large] = [await openAccount(stack, 'enterprise'), await openAccount(stack, 'enterprise')];
  const asked = (name: string, path: string, { id, token } = large): ListRequest => {
    return { name, path, token, sellerId: id };
  };
  await insertFinishedGenerations(db, 100, (index) => imageOf(usual.id, index));
  await insertFinishedGenerations(db, images, (index) => imageOf(large.id, index));
  const batchId = await insertEndedBatch(db, large.id, batchRows);
  const agent = new Agent();
  const first = await get(agent, stack.url + paths.library, large.token);
  const { nextCursor } = JSON.parse(first) as GenerationList;
  agent.destroy();
  return {
    batchId,
    requests: [
      asked('generations', paths.generations, usual),
      asked('a batch of 500', batchPaths.batch(batchId) + withoutItems),
      asked('its first rows', `${batchPaths.batchItems(batchId)}?from=0`),
      asked('library of 10,000', paths.library),
      asked('search in it', `${paths.library}?q=blue+teapot`),
      asked('its next page', `${paths.library}?cursor=${nextCursor}`),
    ],
  };
}

/** What one round has shown. */
interface Rate {
  perSecond: number;
  /** Processor time of the server for one request, in ms. */
  processorMs: number;
}

/** Measures each list and its bare route in turn, `count` requests in each of `rounds`, and prints medians. */
export async function benchLists(
  stack: CampaignStack,
  { requests, batchId }: FilledLists,
  count: number,
  rounds: number,
): Promise<void> {
  const each = Math.min(count, requestsMost);
  console.log(
    `(c) lists beside bare routes, ${rounds} × ${each} requests of each in turn, ${concurrency} at a time, medians; load ${loadavg()[0]!.toFixed(1)}; processor time of the server for one request`,
  );
  console.log(line('', ['requests/s', 'bare route', `aim: ${aim}`, 'server', 'bare route', '304, per s']));
  const bySeller = Map.groupBy(requests, ({ sellerId }) => sellerId);
  for (const [sellerId, own] of bySeller) {
    const bareServer = await startProcess({
      name: 'bare-route',
      command: ['tests/campaigns/bench/bare-route.ts', stack.config.mongodbUrl, sellerId, batchId],
      ...asInProduction({}),
      logFolder: join(stack.storageFolder, '..', 'logs'),
    });
    try {
      const bare = { url: bareServer.url!, pid: bareServer.pid };
      const packshot = { url: stack.url, pid: stack.process('server').pid };
      for (const list of own) await measureList(stack, list, { packshot, bare }, each, rounds);
    } finally {
      await bareServer.stop();
    }
  }
}

async function measureList(
  stack: CampaignStack,
  { name, path, token }: ListRequest,
  { packshot, bare }: Record<'packshot' | 'bare', { url: string; pid: number }>,
  count: number,
  rounds: number,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const load = async ({ url, pid }: typeof bare, etag?: string): Promise<Rate> => {
    await passTimeOfLimits(stack.db, 60);
    const [began, processorBefore] = [performance.now(), cpuMs(pid)];
    await pLimit(concurrency).map(Array(count).keys(), () => get(agent, url + path, token, etag));
    return {
      perSecond: (count * 1_000) / (performance.now() - began),
      processorMs: (cpuMs(pid) - processorBefore) / count,
    };
  };
  const rates: { packshot: Rate; bare: Rate; unchanged: Rate | null }[] = [];
  const etag = await etagOf(stack.url + path, token);
  try {
    // The first round is to warm up.
    for (let round = 0; round <= rounds; round += 1) {
      const rate = {
        packshot: await load(packshot),
        bare: await load(bare),
        unchanged: etag === null ? null : await load(packshot, etag),
      };
      if (round > 0) rates.push(rate);
    }
  } finally {
    agent.destroy();
  }
  const figure = (of: (rate: (typeof rates)[number]) => number) => median(rates.map(of));
  const ratio = figure((rate) => rate.packshot.perSecond / rate.bare.perSecond);
  const cells = [
    figure((rate) => rate.packshot.perSecond).toFixed(0),
    figure((rate) => rate.bare.perSecond).toFixed(0),
    `${ratio.toFixed(2)} ${ratio >= aim ? 'met' : 'MISSED'}`,
    `${figure((rate) => rate.packshot.processorMs).toFixed(2)} ms`,
    `${figure((rate) => rate.bare.processorMs).toFixed(2)} ms`,
    etag === null ? 'no ETag' : figure((rate) => rate.unchanged!.perSecond).toFixed(0),
  ];
  console.log(line(name, cells));
}

/** A line of the table. */
const line = (name: string, cells: readonly string[]) =>
  `    ${name.padEnd(20)}${cells.map((cell) => cell.padStart(14)).join('')}`;

/**
 * Sends a request and reads the answer. @returns its body
 * @param etag of the reply that the client has: then the answer is that nothing has changed
 * @throws Error unless the answer is 200, or 304 for an etag
 */
export function get(agent: Agent, url: string, token: string, etag?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(etag !== undefined && { 'if-none-match': etag }),
    };
    const call = request(url, { agent, headers }, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.once('error', reject);
      reply.once('end', () => {
        const expected = etag === undefined ? 200 : 304;
        if (reply.statusCode === expected) resolve(Buffer.concat(parts).toString());
        else reject(new Error(`${url}: ${reply.statusCode}`));
      });
    });
    call.once('error', reject);
    call.end();
  });
}

/** The entity tag of a reply; null if it has none. */
async function etagOf(url: string, token: string): Promise<string | null> {
  const reply = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await reply.arrayBuffer();
  return reply.headers.get('etag');
}
