/** (a) From submit to 'succeeded' as a socket sees it, without the provider's own time. */

import type { Db } from '#shared/data/db.ts';
import { findVisible } from '#shared/data/generations/find.ts';
import type { BenchSeller } from './seller.ts';
import { ms, quantile } from './statistics.ts';

/** Measures one generation after the other, and prints the result. */
export async function benchLatency(db: Db, seller: BenchSeller, count: number): Promise<void> {
  const times: { total: number; provider: number }[] = [];
  const warmUp = 20;
  for (let index = 0; index < count + warmUp; index += 1) {
    const began = performance.now();
    const id = await seller.submit();
    await seller.succeeded(id);
    const total = performance.now() - began;
    const row = await findVisible(db, id);
    if (index >= warmUp) times.push({ total, provider: row?.provider?.milliseconds ?? 0 });
  }
  const own = times.map(({ total, provider }) => total - provider);
  const provider = times.map((time) => time.provider);
  console.log(`(a) submit to 'succeeded' seen by a socket, ${count} one after the other, sample photo`);
  console.log(
    `    without the provider's time   p50 ${ms(quantile(own, 0.5))}   p99 ${ms(quantile(own, 0.99))}   (aim: 60 and 200)`,
  );
  console.log(
    `    the provider's time           p50 ${ms(quantile(provider, 0.5))}   p99 ${ms(quantile(provider, 0.99))}`,
  );
}
