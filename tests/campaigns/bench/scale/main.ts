/** `npm run campaign -- bench scale`: whether more workers make more images, and whether more data makes anything slower. */
import { describeMachine } from '#tests/campaigns/support/machine.ts';
import { benchGrowth } from './cost.ts';
import { benchWorkers } from './throughput.ts';

/**
 * Ends the program with 1 when an aim is missed.
 * @param part only one of them; both unless given
 * @param onRedis queues on Redis instead of PostgreSQL
 * @param times how many times as large the larger installation is
 */
export async function benchScale(part: string | undefined, onRedis: boolean, times: number): Promise<void> {
  console.log(describeMachine());
  if (part !== 'cost' && !(await benchWorkers(onRedis))) process.exitCode = 1;
  if (part !== 'throughput' && !(await benchGrowth(onRedis, times))) process.exitCode = 1;
}
