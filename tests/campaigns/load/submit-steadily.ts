/** Submissions at random times that do not depend on how fast they are answered. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '#tests/support/random.ts';
import type { Measurements } from './measurements.ts';
import type { LoadSeller } from './sellers.ts';

interface SteadyLoad {
  random: Random;
  sellers: readonly LoadSeller[];
  photo: Blob;
  /** Submissions a second, on average. The times between them are exponentially distributed, as of many independent sellers. */
  rate: number;
  seconds: number;
  measurements: Measurements;
}

/** Submits for some time, each time as a random seller. @returns the ids of the generations, when all are answered */
export async function submitSteadily(load: SteadyLoad): Promise<string[]> {
  const { random, sellers, photo, rate, seconds, measurements } = load;
  const began = performance.now();
  const answers: Promise<void>[] = [];
  for (let dueMs = 0; ; ) {
    dueMs += (-Math.log(1 - random.next()) / rate) * 1_000;
    if (dueMs > seconds * 1_000) break;
    const seller = random.pick(sellers);
    const early = began + dueMs - performance.now();
    if (early > 1) await wait(early);
    answers.push(measurements.submission(began + dueMs, seller, photo));
  }
  await Promise.all(answers);
  return sellers.flatMap(({ submissions }) => submissions.flatMap(({ accepted }) => accepted.flat()));
}
