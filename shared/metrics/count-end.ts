import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { endedGenerations, generationDuration, settledImages } from './metrics.ts';

/**
 * Counts a generation that has ended.
 * @param settled what became of its hold: the kind of its ledger entry
 */
export function countEnd(row: GenerationRow, settled: 'settle' | 'remake' | 'release'): void {
  const kind = row.batch ? 'batch' : 'single';
  endedGenerations.inc({ outcome: row.state, code: row.failure?.code ?? 'none', kind });
  settledImages.inc({ kind: settled }, row.count);
  if (row.state !== 'succeeded' || !row.ended_at) return;
  generationDuration.observe({ kind }, (row.ended_at.getTime() - row.created_at.getTime()) / 1_000);
}
