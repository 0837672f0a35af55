/** (c) `GET /api/generations` compared with a bare Fastify route that makes the same query with the MongoDB driver. */

import { Agent, request } from 'node:http';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { paths } from '#contract';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { startProcess } from '#scripts/start/process.ts';
import { type CampaignStack, concurrency } from '#tests/campaigns/support/stack.ts';
import type { BenchSeller } from '#tests/support/connected-seller.ts';
import { median } from '#tests/support/statistics.ts';

/** Measures both routes alternately, `count` requests in each of `rounds`, and prints the medians. */
export async function benchList(
  stack: CampaignStack,
  seller: BenchSeller,
  count: number,
  rounds: number,
): Promise<void> {
  const bareServer = await startProcess({
    name: 'bare-route',
    command: ['tests/campaigns/bench/bare-route.ts', stack.config.mongodbUrl, seller.id],
    env: childEnvironment({}),
    logFolder: join(stack.storageFolder, '..', 'logs'),
  });
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  /** @returns requests per second */
  const load = async (url: string, requests: number) => {
    const began = performance.now();
    await pLimit(concurrency).map(Array(requests).keys(), () =>
      get(agent, url + paths.generations, seller.token),
    );
    return (requests * 1_000) / (performance.now() - began);
  };
  const packshot: number[] = [];
  const bare: number[] = [];
  try {
    // Warm-up.
    await load(stack.url, count / 4);
    await load(bareServer.url!, count / 4);
    for (let round = 0; round < rounds; round += 1) {
      packshot.push(await load(stack.url, count));
      bare.push(await load(bareServer.url!, count));
    }
  } finally {
    agent.destroy();
    await bareServer.stop();
  }
  const ratio = median(packshot.map((rate, index) => rate / bare[index]!));
  console.log(
    `(c) GET ${paths.generations} (24 rows), requests per second, ${rounds} × ${count}, ${concurrency} at a time, medians`,
  );
  console.log(
    `    Packshot ${median(packshot).toFixed(0)}   bare route ${median(bare).toFixed(0)}   ratio ${ratio.toFixed(2)}   (aim: 0.7)`,
  );
}

/** Sends a request and reads the answer. @throws Error unless the answer is 200 */
export function get(agent: Agent, url: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (reply) => {
      reply.resume();
      reply.once('error', reject);
      reply.once('end', () =>
        reply.statusCode === 200 ? resolve() : reject(new Error(`${url}: ${reply.statusCode}`)),
      );
    });
    call.once('error', reject);
    call.end();
  });
}
