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

/** Times of a generation in ms. The parts are `own` together; the row's times, which divide them, are whole ms. */
interface Times {
  own: number;
  provider: number;
  /** The form arrives, its photo is normalised, and the generation is queued. */
  form: number;
  /** A worker takes the job. */
  queue: number;
  /** Before the call and after it: the image is checked and stored. */
  worker: number;
  /** The generation is settled, and the seller's socket has the event. */
  event: number;
}

async function measure({ db }: CampaignStack, seller: BenchSeller, count: number): Promise<Times[]> {
  const times: Times[] = [];
  for (let index = 0; index < count + warmUp; index += 1) {
    const began = performance.timeOrigin + performance.now();
    const id = await seller.submit();
    await seller.succeeded(id);
    const seen = performance.timeOrigin + performance.now();
    if (index < warmUp) continue;
    const row = (await findKept(db, id))!;
    const provider = row.provider!.milliseconds;
    const queued = row.queued_at!.getTime();
    const started = row.started_at!.getTime();
    const ended = row.ended_at!.getTime();
    times.push({
      own: seen - began - provider,
      provider,
      form: queued - began,
      queue: started - queued,
      worker: ended - started - provider,
      event: seen - ended,
    });
  }
  return times;
}

function print(name: string, times: readonly Times[]): void {
  const of = (part: keyof Times) => times.map((each) => each[part]);
  const line = (part: keyof Times) => `p50 ${ms(median(of(part)))}   p99 ${ms(quantile(of(part), 0.99))}`;
  console.log(`    ${name}`);
  console.log(`      without the provider's time ${line('own')}   (aim: 35 and 120)`);
  for (const part of ['form', 'queue', 'worker', 'event'] as const) {
    console.log(`        of it: ${part.padEnd(21)}${line(part)}`);
  }
  console.log(`      the provider's time         ${line('provider')}`);
}
