import type { Db } from '#shared/data/db.ts';
import { setProductMatch } from '#shared/data/generations/end.ts';
import { findKept } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { removeUnusedPhotoSet } from '#shared/generations/photo-sets.ts';
import type { Log } from '#shared/platform/log.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { inTraceOf } from '#shared/platform/trace.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { announce } from '#shared/views/announce.ts';
import { matchProduct } from './match-product.ts';
import { createPhotoCutouts } from './photo-cutouts.ts';
import type { ProductMatcher } from './product-matcher.ts';

/** Compares images with their photos after they are shown, as many at a time as the matcher has processes. */
export interface Comparisons {
  /**
   * Cuts the product of a generation's first photo out while its image is made, so that its match follows the image sooner.
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
  const cutouts = createPhotoCutouts({ storage, log }, matcher);
  const waiting: string[] = [];
  const running = new Set<Promise<void>>();
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

  async function matchOf(row: GenerationRow) {
    const { image, photos, photos_show: photosShow = 'one-product' } = row;
    if (!image) return null;
    const match = await storage.withFile(image.key, (path) =>
      matchProduct(photos, photosShow, async ({ key }) => {
        const cutout = await cutoutOf(row, key);
        if (!cutout) return null;
        const compared = await storage.withFile(key, (photo) =>
          matcher.match({ key, path: photo }, path, cutout),
        );
        return compared ?? null;
      }),
    );
    return match ?? null;
  }

  const cutoutOf = ({ _id, photo_set: photoSet }: GenerationRow, photoKey: string) =>
    cutouts.of(photoKey, async () => {
      // What is stored after the photos were removed, nobody else would remove.
      if (photoSet !== undefined && !(await findKept(db, _id)))
        await removeUnusedPhotoSet({ db, storage }, photoSet);
    });

  /** Runs a step, which must not fail, and then what waits. */
  function run(step: () => Promise<void>): void {
    const ended = step().finally(() => {
      running.delete(ended);
      compareWaiting();
    });
    running.add(ended);
  }

  function compareWaiting(): void {
    while (running.size < matcher.atOnce) {
      const id = waiting.shift();
      if (id === undefined) return;
      run(() =>
        compare(id).catch((error) => {
          if (!isClosed) notCompared(id, error);
        }),
      );
    }
  }

  return {
    prepare(row) {
      const [photo] = row.photos;
      if (running.size > 0 || isClosed || !photo) return;
      run(async () => {
        await cutoutOf(row, photo.key).catch((err) => {
          if (!isClosed) log.warn({ err, generation: row._id }, 'a photo was not cut out in advance');
        });
      });
    },
    add({ _id: id, state }) {
      if (isClosed || state !== 'succeeded') return;
      waiting.push(id);
      // The oldest one: its seller has seen it without a match, and the newest is only just being shown.
      if (waiting.length > longestLine) notCompared(waiting.shift()!, new Error('too many images wait'));
      compareWaiting();
    },
    async close() {
      isClosed = true;
      waiting.length = 0;
      await matcher.close();
      await Promise.all(running);
    },
  };
}
