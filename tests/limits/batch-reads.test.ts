/** One seller that makes and reads large batches as fast as the server answers. */

import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { limits } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { requestAs } from '#tests/support/api-client.ts';
import { sha256Of } from '#tests/support/batches.ts';
import { limitMs } from '#tests/support/machine.ts';
import { cpuMsWithoutChildren } from '#tests/support/process-usage.ts';
import { ms, quantile } from '#tests/support/statistics.ts';
import { signInSeller } from './accounts.ts';
import { requestBatch, rowsOf } from './batch-requests.ts';
import { below, countStatuses, type Figure, shown, testAttack } from './runner.ts';

const creations = 40;
const readers = 12;
const readMs = 15_000;
/** How often `/healthz` is asked, in ms. */
const probeIntervalMs = 50;
/** A load balancer that waits one second for `/healthz` gives up on a server well above this. */
const mostMs = 400;
/** Photos that are never uploaded. */
const photos = Array.from({ length: limits.batchRows * limits.photos }, (_, index) =>
  sha256Of(Buffer.from(String(index))),
);

testAttack(
  `one seller makes ${creations} batches of ${limits.batchRows} rows, then ${readers} readers of one for ${readMs / 1_000} s`,
  async (stack) => {
    const token = await signInSeller(stack, true);
    const server = stack.process('server');
    const rows = rowsOf(limits.batchRows, photos, 'On a wooden table in the morning, '.repeat(10));
    // The first requests of a process are slower.
    const first = await requestBatch(stack.url, token, rows);
    const id = first.batch!.id;

    const cpu = cpuMsWithoutChildren(server.pid);
    const statuses: number[] = [];
    const whileMade = await besideProbes(stack, async () => {
      await pLimit(4).map(Array(creations).keys(), async () => {
        statuses.push((await requestBatch(stack.url, token, rows)).status);
      });
    });
    const spent = cpuMsWithoutChildren(server.pid) - cpu;
    const made = statuses.filter((status) => status === 201).length;

    const reads: number[] = [];
    const cpuBefore = cpuMsWithoutChildren(server.pid);
    const whileRead = await besideProbes(stack, async () => {
      const endsAt = performance.now() + readMs;
      await pLimit(readers).map(Array(readers).keys(), async () => {
        while (performance.now() < endsAt) {
          const reply = await requestAs(stack.url, token, 'GET', batchPaths.batch(id));
          await reply.arrayBuffer();
          reads.push(reply.status);
        }
      });
    });
    const share = (cpuMsWithoutChildren(server.pid) - cpuBefore) / (readMs / 100);
    return [
      shown('batches asked for', countStatuses(statuses)),
      shown("server's time for each that was made", ms(spent / Math.max(1, made))),
      ...healthFigures('/healthz while batches are made', whileMade),
      shown('reads of one', countStatuses(reads)),
      shown("server's share of a core", `${share.toFixed(0)} %`),
      ...healthFigures('/healthz while one is read', whileRead),
    ];
  },
);

const healthFigures = (what: string, times: readonly number[]): Figure[] => [
  shown(`${what}, p50 and longest`, `${ms(quantile(times, 0.5))} and ${ms(Math.max(...times))}`),
  below(`${what}, p99`, quantile(times, 0.99), limitMs(mostMs), ms),
];

/** Runs something while `/healthz` is asked again and again. @returns how long its replies took, in ms */
async function besideProbes({ url }: CampaignStack, work: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  let done = false;
  const probe = async () => {
    while (!done) {
      const began = performance.now();
      await fetch(`${url}/healthz`).then((reply) => reply.arrayBuffer());
      times.push(performance.now() - began);
      await wait(probeIntervalMs);
    }
  };
  const probing = probe();
  await work().finally(() => {
    done = true;
  });
  await probing;
  return times;
}
