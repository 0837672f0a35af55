/** (a) Time from submitting to 'succeeded' on a socket, without the provider's own time. */
import type { Db } from '#shared/data/db.ts';
import { findVisible } from '#shared/data/generations/find.ts';
import type { BenchSeller } from './seller.ts';
import { median, ms, quantile } from './statistics.ts';

const warmUp = 20;

/** Measures `count` generations one after another and prints the result. */
export async function benchLatency(db: Db, seller: BenchSeller, count: number): Promise<void> {
  const ownTimes: number[] = [];
  const providerTimes: number[] = [];
  for (let index = 0; index < count + warmUp; index += 1) {
    const began = performance.now();
    const id = await seller.submit();
    await seller.succeeded(id);
    const total = performance.now() - began;
    if (index < warmUp) continue;
    const provider = (await findVisible(db, id))?.provider?.milliseconds ?? 0;
    ownTimes.push(total - provider);
    providerTimes.push(provider);
  }
  const line = (times: number[]) => `p50 ${ms(median(times))}   p99 ${ms(quantile(times, 0.99))}`;
  console.log(`(a) from submitting to 'succeeded' on a socket, ${count} one after another, sample photo`);
  console.log(`    without the provider's time   ${line(ownTimes)}   (aim: 60 and 200)`);
  console.log(`    the provider's time           ${line(providerTimes)}`);
}
