import { promisifyRequest } from 'idb-keyval';
import { z } from 'zod';
import { isOwner, readStore, writeStore } from '#web/lib/draft-store.ts';
import { automatic } from './group-photos.ts';

const batchDraftSchema = z.object({
  name: z.string(),
  /** Null for the default project. */
  projectId: z.string().nullable(),
  /** Identifies the request that makes the batch: another one after each change. */
  key: z.string(),
  /** The batch that was made of it and is not started yet; null while there is none. */
  batchId: z.string().nullable(),
  /** How products are found in the names of photos. */
  pattern: z.string().default(automatic),
  rows: z.array(
    z.object({
      id: z.string(),
      fromPhotos: z.boolean().default(false),
      sku: z.string(),
      asin: z.string().default(''),
      name: z.string(),
      photos: z.array(z.string()),
      scene: z.string(),
      look: z.string(),
      template: z.string(),
      size: z.string(),
      takes: z.string(),
    }),
  ),
});
/** The table of a batch that was not started yet, without its photos. */
export type BatchDraft = z.infer<typeof batchDraftSchema>;

const draftKey = 'batch';

/** The seller's table in this browser; null if there is none, or storage is blocked. */
export async function readBatchDraft(sellerId: string): Promise<BatchDraft | null> {
  try {
    return await readStore(async (store) => {
      if (!(await isOwner(store, sellerId))) return null;
      const stored = batchDraftSchema.safeParse(await promisifyRequest<unknown>(store.get(draftKey)));
      return stored.success ? stored.data : null;
    });
  } catch {
    return null;
  }
}

/** Keeps the table in this browser until the seller signs out. @returns false where storage is blocked or full */
export async function writeBatchDraft(sellerId: string, draft: BatchDraft): Promise<boolean> {
  try {
    await writeStore(async (store) => {
      if (await isOwner(store, sellerId)) store.put(draft, draftKey);
    });
    return true;
  } catch {
    // It lasts until the window is closed.
    return false;
  }
}

/** Removes the table. @param batchId only if it is the one of this batch */
export async function removeBatchDraft(sellerId: string, batchId?: string): Promise<void> {
  const draft = await readBatchDraft(sellerId);
  if (!draft || (batchId !== undefined && draft.batchId !== batchId)) return;
  try {
    await writeStore(async (store) => {
      if (await isOwner(store, sellerId)) store.delete(draftKey);
    });
  } catch {
    // Storage is blocked now.
  }
}
