import { setProductMatch } from '#shared/data/generations/end.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { announce } from '#shared/views/announce.ts';
import type { Comparisons } from '#worker/product-match/comparisons.ts';
import { testOf } from '#worker/providers/sandbox/start.ts';
import type { WorkerContext } from '../context.ts';

/** The product match of test images: as their scene says, without a comparison. */
export function matchesOfTests({ db, relay, log }: Pick<WorkerContext, 'db' | 'relay' | 'log'>): Comparisons {
  const running = new Set<Promise<void>>();

  async function match(row: GenerationRow): Promise<void> {
    const level = testOf(row).name === 'test: low match' ? 'low' : 'high';
    const matched = await setProductMatch(db, row._id, { level, area: null });
    if (matched) await announce({ db, relay }, row.profile, { generation: matched });
  }

  return {
    prepare() {},
    add(row) {
      if (row.state !== 'succeeded') return;
      const matching = match(row)
        .catch((error) => log.warn({ err: error, generation: row._id }, 'a test image has no match'))
        .finally(() => running.delete(matching));
      running.add(matching);
    },
    async close() {
      await Promise.all(running);
    },
  };
}
