import type { Db } from '#shared/data/db.ts';
import { setProductMatch } from '#shared/data/generations/end.ts';
import { findKept } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { Log } from '#shared/platform/log.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { inTraceOf } from '#shared/platform/trace.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { announce } from '#shared/views/announce.ts';
import { matchProduct } from './match-product.ts';
import type { ProductMatcher } from './product-matcher.ts';

/** Compares images with their photos after they are shown, one at a time. */
export interface Comparisons {
  /**
   * Finds the product of a generation's first photo while its image is made, so that its match follows the image sooner.
   * Nothing happens while there is something else to do.
   */
  prepare(row: GenerationRow): void;
  /** Has the image of a generation that has ended compared; its windows are told. */
  add(row: GenerationRow): void;
  /** Drops what waits, and gives up what runs: these images have no match. */
  close(): Promise<void>;
}

/**
 * How many images may wait. They wait as ids, so this bounds how late a match may come rather than the memory: a thousand take
 * ten minutes, as long as a comparison that hangs.
 */
const mostWaiting = 1_000;

/** What comparing needs of the worker. */
interface ComparisonContext {
  db: Db;
  relay: EventRelay;
  storage: Storage;
  log: Log;
}

export function createComparisons(
  { db, relay, storage, log }: ComparisonContext,
  matcher: ProductMatcher,
  longestLine = mostWaiting,
): Comparisons {
  const waiting: string[] = [];
  let running: Promise<void> | undefined;
  let isClosed = false;

  const notCompared = (generation: string, err: unknown) =>
    log.warn({ err, generation }, 'an image was not compared with its photos');

  async function compare(id: string): Promise<void> {
    // As it is now: it may have been deleted for ever while it waited. One in the trash may be restored.
    const row = await findKept(db, id);
    if (row) await inTraceOf(row, () => compareRow(row));
  }

  async function compareRow(row: GenerationRow): Promise<void> {
    const match = await matchOf(row);
    const compared = match && (await setProductMatch(db, row._id, match));
    if (compared) await announce({ db, relay }, row.profile, { generation: compared });
  }

  async function matchOf({ image, photos, photos_show: photosShow = 'one-product' }: GenerationRow) {
    if (!image) return null;
    const match = await storage.withFile(image.key, (path) =>
      matchProduct(photos, photosShow, async ({ key }) => {
        const compared = await storage.withFile(key, (photo) => matcher.match({ key, path: photo }, path));
        return compared ?? null;
      }),
    );
    return match ?? null;
  }

  async function compareWaiting(): Promise<void> {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const current = id;
      await compare(current).catch((error) => isClosed || notCompared(current, error));
    }
    running = undefined;
  }

  return {
    prepare({ _id, photos: [photo] }) {
      if (running || isClosed || !photo) return;
      running = storage
        .withFile(photo.key, (path) => matcher.prepare({ key: photo.key, path }))
        .catch(
          (error) =>
            isClosed || log.warn({ err: error, generation: _id }, 'a product was not found in advance'),
        )
        .then(compareWaiting);
    },
    add({ _id: id, state }) {
      if (isClosed || state !== 'succeeded') return;
      waiting.push(id);
      // The oldest one: its seller has seen it without a match, and the newest is only just being shown.
      if (waiting.length > longestLine) notCompared(waiting.shift()!, new Error('too many images wait'));
      running ??= compareWaiting();
    },
    async close() {
      isClosed = true;
      waiting.length = 0;
      await matcher.close();
      await running;
    },
  };
}
