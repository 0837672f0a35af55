import type { GenerationView } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { queuePosition } from '#shared/data/generations/queue-position.ts';
import type { ShownGeneration } from '#shared/data/generations/shown-fields.ts';
import { isProviderAway, timeLeftOf } from './estimate.ts';
import { presentGeneration } from './present.ts';

/** What a seller sees of a generation, with its current position in the queue and when it is expected. */
export async function generationView(db: Db, row: ShownGeneration): Promise<GenerationView> {
  const position = queuePosition(db, row);
  const [place, isHeldUp, timeLeft] = await Promise.all([
    position,
    row.state === 'queued' && isProviderAway(db),
    timeLeftOf(db, row, position),
  ]);
  return presentGeneration(row, place, timeLeft, isHeldUp);
}
