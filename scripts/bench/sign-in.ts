/** (d) What other requests feel while people sign in: their p99 with 20 sign-ins a second beside their p99 without. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { paths } from '#contract';
import type { BenchSeller } from './seller.ts';
import type { BenchStack } from './stack.ts';
import { ms, quantile } from './statistics.ts';

const signInsASecond = 20;
const requestsASecond = 50;

/** Measures both in turn and prints the medians. @param seconds of each phase */
export async function benchSignIn(
  stack: BenchStack,
  seller: BenchSeller,
  seconds: number,
  rounds: number,
): Promise<void> {
  /** The list of generations, as a dashboard asks for it: begun at a fixed rate, whether or not the last has answered. */
  const readFor = async (withSignIns: boolean): Promise<number[]> => {
    const times: number[] = [];
    const reads = atRate(requestsASecond, seconds, async () => {
      const began = performance.now();
      const reply = await fetch(stack.url + paths.generations, {
        headers: { authorization: `Bearer ${seller.token}` },
      });
      await reply.arrayBuffer();
      if (reply.status !== 200) throw new Error(`the list answered ${reply.status}`);
      times.push(performance.now() - began);
    });
    const signIns = withSignIns ? atRate(signInsASecond, seconds, () => signIn(stack.url)) : undefined;
    await Promise.all([reads, signIns]);
    return times;
  };
  await readFor(true);
  const quiet: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    quiet.push(quantile(await readFor(false), 0.99));
    busy.push(quantile(await readFor(true), 0.99));
  }
  const [without, during] = [quantile(quiet, 0.5), quantile(busy, 0.5)];
  console.log(
    `(d) GET ${paths.generations} ${requestsASecond} times a second, ${rounds} × ${seconds} s, medians of p99`,
  );
  console.log(
    `    alone ${ms(without)}   with ${signInsASecond} sign-ins a second ${ms(during)}   ratio ${(during / without).toFixed(2)}   (aim: below 3)`,
  );
}

/** An address of its own each time, since one address may try only so often: an unknown one costs the same work. */
async function signIn(url: string): Promise<void> {
  const reply = await fetch(url + paths.session, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${randomUUID()}@packshot.example`, password: 'Wrong-Horse-7' }),
  });
  await reply.arrayBuffer();
  if (reply.status !== 401) throw new Error(`the sign-in answered ${reply.status}`);
}

/** Begins work at a fixed rate, and resolves when all of it has ended. */
async function atRate(aSecond: number, seconds: number, work: () => Promise<void>): Promise<void> {
  const began = performance.now();
  const all: Promise<void>[] = [];
  for (let index = 0; index < aSecond * seconds; index += 1) {
    await wait(Math.max(0, began + (index * 1_000) / aSecond - performance.now()));
    all.push(work());
  }
  await Promise.all(all);
}
