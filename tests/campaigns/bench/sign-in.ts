/** (d) How sign-ins slow other requests: p99 of the list with 20 sign-ins per second, compared with p99 without. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { paths } from '#contract';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { requestList, requestSignIn } from '#tests/support/api-client.ts';
import type { BenchSeller } from '#tests/support/connected-seller.ts';
import { median, ms, quantile } from '#tests/support/statistics.ts';

const signInsPerSecond = 20;
const requestsPerSecond = 50;

/** Measures both phases alternately and prints the medians. @param seconds duration of each phase */
export async function benchSignIn(
  stack: CampaignStack,
  seller: BenchSeller,
  seconds: number,
  rounds: number,
): Promise<void> {
  /** Requests the list at a fixed rate, without waiting for earlier responses. @returns the times in ms */
  const measureList = async (withSignIns: boolean): Promise<number[]> => {
    const times: number[] = [];
    const reads = atRate(requestsPerSecond, seconds, async () => {
      const began = performance.now();
      const response = await requestList(stack.url, seller.token);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`the list answered ${response.status}`);
      times.push(performance.now() - began);
    });
    const signIns = withSignIns ? atRate(signInsPerSecond, seconds, () => failSignIn(stack.url)) : undefined;
    await Promise.all([reads, signIns]);
    return times;
  };
  // Warm-up.
  await measureList(true);
  const quiet: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    quiet.push(quantile(await measureList(false), 0.99));
    busy.push(quantile(await measureList(true), 0.99));
  }
  const [without, during] = [median(quiet), median(busy)];
  console.log(
    `(d) GET ${paths.generations} ${requestsPerSecond} times per second, ${rounds} × ${seconds} s, medians of p99`,
  );
  console.log(
    `    alone ${ms(without)}   with ${signInsPerSecond} sign-ins per second ${ms(during)}   ratio ${(during / without).toFixed(2)}   (aim: below 3)`,
  );
}

/**
 * Signs in with an unknown email address, which costs the server the same work as a known one. A new address each time,
 * since attempts are limited per address.
 */
async function failSignIn(url: string): Promise<void> {
  const email = `${randomUUID()}@packshot.example`;
  const response = await requestSignIn(url, { email, password: 'Wrong-Horse-7' });
  await response.arrayBuffer();
  if (response.status !== 401) throw new Error(`the sign-in answered ${response.status}`);
}

/** Starts work at a fixed rate; resolves when all of it has finished. */
async function atRate(perSecond: number, seconds: number, work: () => Promise<void>): Promise<void> {
  const began = performance.now();
  const all: Promise<void>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 1) {
    await wait(Math.max(0, began + (index * 1_000) / perSecond - performance.now()));
    all.push(work());
  }
  await Promise.all(all);
}
