/** (d) How sign-ins slow lists: the p99 of each with 20 sign-ins per second, compared with its p99 without. */
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { passTimeOfLimits } from '#tests/campaigns/support/rows.ts';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { requestSignIn } from '#tests/support/api-client.ts';
import { median, ms, quantile } from '#tests/support/statistics.ts';
import { type FilledLists, get, type ListRequest } from './list.ts';

const signInsPerSecond = 20;
const requestsPerSecond = 50;
/** The most that a p99 may be with sign-ins, as a multiple of what it is without. */
const aim = 1.3;

/** Measures both phases of each list alternately and prints the medians. @param seconds duration of each phase */
export async function benchSignIn(
  stack: CampaignStack,
  { requests }: FilledLists,
  seconds: number,
  rounds: number,
): Promise<void> {
  console.log(
    `(d) lists ${requestsPerSecond} times per second, ${rounds} × ${seconds} s, medians of p99: alone, and with ${signInsPerSecond} sign-ins per second; load ${loadavg()[0]!.toFixed(1)}`,
  );
  for (const list of requests) {
    const [alone, during] = await measureSignIns(stack, list, seconds, rounds);
    const ratio = during / alone;
    console.log(
      `    ${list.name.padEnd(20)}alone ${ms(alone).padStart(9)}   with sign-ins ${ms(during).padStart(9)}   ratio ${ratio.toFixed(2)}   (aim: ${aim}) ${ratio <= aim ? 'met' : 'MISSED'}`,
    );
  }
}

async function measureSignIns(
  { url, db }: CampaignStack,
  { path, token }: ListRequest,
  seconds: number,
  rounds: number,
): Promise<[alone: number, during: number]> {
  const agent = new Agent({ keepAlive: true });
  /** Requests the list at a fixed rate, without waiting for earlier responses. @returns the 99th percentile in ms */
  const measureList = async (withSignIns: boolean): Promise<number> => {
    await passTimeOfLimits(db, 60);
    const times: number[] = [];
    const reads = atRate(requestsPerSecond, seconds, async () => {
      const began = performance.now();
      await get(agent, url + path, token);
      times.push(performance.now() - began);
    });
    const signIns = withSignIns ? atRate(signInsPerSecond, seconds, () => failSignIn(url)) : undefined;
    await Promise.all([reads, signIns]);
    return quantile(times, 0.99);
  };
  const quiet: number[] = [];
  const busy: number[] = [];
  try {
    // Warm-up.
    await measureList(true);
    for (let round = 0; round < rounds; round += 1) {
      quiet.push(await measureList(false));
      busy.push(await measureList(true));
    }
  } finally {
    agent.destroy();
  }
  return [median(quiet), median(busy)];
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
export async function atRate(perSecond: number, seconds: number, work: () => Promise<void>): Promise<void> {
  const began = performance.now();
  const all: Promise<void>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 1) {
    await wait(Math.max(0, began + (index * 1_000) / perSecond - performance.now()));
    all.push(work());
  }
  await Promise.all(all);
}
