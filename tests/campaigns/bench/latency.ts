/** (a) Time from submitting to 'succeeded' on a socket, without the provider's own time. */
import { findKept } from '#shared/data/generations/find.ts';
import { type CampaignStack, previewsApart } from '#tests/campaigns/support/stack.ts';
import type { BenchSeller } from '#tests/support/connected-seller.ts';
import { median, ms, quantile } from '#tests/support/statistics.ts';

const warmUp = 20;

/**
 * Measures `count` generations one after another and prints the result: with a provider that answers at once, so that previews are
 * made while the image is checked, and with one whose previews come before its image.
 */
export async function benchLatency(stack: CampaignStack, seller: BenchSeller, count: number): Promise<void> {
  console.log(`(a) from submitting to 'succeeded' on a socket, ${count} one after another, sample photo`);
  print('a provider that answers at once', await measure(stack, seller, count));
  await stack.images.set({ default: previewsApart });
  print('a provider with 0.1 s after each preview', await measure(stack, seller, count));
  await stack.images.reset();
}

/** Times in ms, one of each generation. */
interface Times {
  own: number[];
  provider: number[];
}

async function measure({ db }: CampaignStack, seller: BenchSeller, count: number): Promise<Times> {
  const times: Times = { own: [], provider: [] };
  for (let index = 0; index < count + warmUp; index += 1) {
    const began = performance.now();
    const id = await seller.submit();
    await seller.succeeded(id);
    const total = performance.now() - began;
    if (index < warmUp) continue;
    const provider = (await findKept(db, id))?.provider?.milliseconds ?? 0;
    times.own.push(total - provider);
    times.provider.push(provider);
  }
  return times;
}

function print(name: string, { own, provider }: Times): void {
  const line = (times: number[]) => `p50 ${ms(median(times))}   p99 ${ms(quantile(times, 0.99))}`;
  console.log(`    ${name}`);
  console.log(`      without the provider's time ${line(own)}   (aim: 40 and 200)`);
  console.log(`      the provider's time         ${line(provider)}`);
}
