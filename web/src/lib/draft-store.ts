import { createStore, promisifyRequest } from 'idb-keyval';
import { z } from 'zod';
import { photoSubjects } from '#contract';

/** A photo of a draft. Its id never changes, so that a photo is written only once. */
export interface DraftPhoto {
  id: string;
  file: File;
}

export const draftFieldsSchema = z.object({
  prompt: z.string(),
  productName: z.string(),
  /** Whether the seller typed the product name; otherwise it follows the photos. */
  nameTyped: z.boolean(),
  photosShow: z.enum(photoSubjects),
});
/** What a draft has besides its photos. */
export type DraftFields = z.infer<typeof draftFieldsSchema>;

const sentFormSchema = z.object({ content: z.string(), key: z.string() });
/** A form that was sent and not answered yet: what it contained, and its idempotency key. */
export type SentForm = z.infer<typeof sentFormSchema>;

/**
 * A photo as it is stored: its bytes, because Safari gives back an empty body for a stored file, or refuses to store one.
 * The bytes are read with the first write of the photo.
 */
const storedPhotoSchema = z.object({
  bytes: z.instanceof(ArrayBuffer),
  name: z.string(),
  type: z.string(),
  lastModified: z.number(),
});

type StoredPhoto = z.infer<typeof storedPhotoSchema>;

const storedDraftSchema = draftFieldsSchema.extend({ photoIds: z.array(z.string()) });

/**
 * The keys of the store. `owner` is the seller whose draft it is: what another seller's window writes is refused in the
 * same transaction, so a window that has not noticed the end of its session yet cannot leave anything behind.
 */
const keys = { owner: 'owner', draft: 'draft', sentForm: 'sent-form' } as const;
const photoPrefix = 'photo:';

const openStore = createStore('packshot', 'draft');

/** How long a read may take, in ms. WebKit sometimes never answers on a slow machine, after a page was left. */
const readTimeoutMs = 10_000;

/** Reads in one transaction. @throws DOMException if storage is blocked, or does not answer in time */
export async function readStore<T>(callback: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const late = new DOMException('IndexedDB does not answer', 'TimeoutError');
    timer = setTimeout(() => reject(late), readTimeoutMs);
  });
  return Promise.race([openStore('readonly', callback), tooLate]).finally(() => clearTimeout(timer));
}

/** Writes in one transaction: everything or nothing. @throws DOMException if storage is blocked or full */
export async function writeStore(callback: (store: IDBObjectStore) => Promise<void>): Promise<void> {
  await openStore('readwrite', (store) => {
    const { transaction } = store;
    const changed = callback(store).catch((error: unknown) => {
      // It may have been aborted already, by a request that failed.
      if (transaction.error === null) transaction.abort();
      throw error;
    });
    return Promise.all([changed, promisifyRequest(transaction)]);
  });
}

let lastWrite: Promise<unknown> = Promise.resolve();

/** Runs a write after those before it: one that reads photos first is not overtaken by a later one. */
function inOrder(write: () => Promise<void>): Promise<void> {
  const written = lastWrite.then(write);
  lastWrite = written.catch(() => {});
  return written;
}

/** {@link writeStore}, after the writes before it. */
const writeInOrder = (callback: (store: IDBObjectStore) => Promise<void>) =>
  inOrder(() => writeStore(callback));

/** Whether the store is this seller's. */
export async function isOwner(store: IDBObjectStore, sellerId: string): Promise<boolean> {
  return (await promisifyRequest<unknown>(store.get(keys.owner))) === sellerId;
}

/** Makes the store this seller's. Removes what another seller has left in it. */
export function claimStore(sellerId: string): Promise<void> {
  return writeStore(async (store) => {
    if (await isOwner(store, sellerId)) return;
    store.clear();
    store.put(sellerId, keys.owner);
  });
}

/** Removes everything. @param keepOwner whether the seller stays signed in */
export function clearStore({ keepOwner }: { keepOwner: boolean }): Promise<void> {
  return writeInOrder(async (store) => {
    const owner = await promisifyRequest<unknown>(store.get(keys.owner));
    store.clear();
    if (keepOwner && owner !== undefined) store.put(owner, keys.owner);
  });
}

/**
 * Writes a draft, and removes the photos of the one before. Photos that are in the store already are not written again.
 * @param writePhotos false writes no photos, for a store that is full
 */
export function writeDraft(
  sellerId: string,
  fields: DraftFields,
  photos: readonly DraftPhoto[],
  { writePhotos = true } = {},
): Promise<void> {
  return inOrder(async () => {
    const contents = new Map<string, StoredPhoto>();
    let missing: DraftPhoto[] = [];
    do {
      // Their bytes are read between two transactions, because a transaction would end meanwhile.
      for (const { id, file } of missing) {
        const { name, type, lastModified } = file;
        contents.set(id, { bytes: await file.arrayBuffer(), name, type, lastModified });
      }
      await writeStore(async (store) => {
        missing = [];
        if (!(await isOwner(store, sellerId))) return;
        const storedKeys = await promisifyRequest(store.getAllKeys());
        const isThere = ({ id }: DraftPhoto) => contents.has(id) || storedKeys.includes(photoPrefix + id);
        missing = writePhotos ? photos.filter((photo) => !isThere(photo)) : [];
        if (missing.length > 0) return;
        const photoKeys = photos.map(({ id }) => photoPrefix + id);
        for (const key of storedKeys) {
          if (String(key).startsWith(photoPrefix) && !photoKeys.includes(String(key))) store.delete(key);
        }
        for (const [id, content] of contents) store.put(content, photoPrefix + id);
        store.put({ ...fields, photoIds: photos.map(({ id }) => id) }, keys.draft);
      });
    } while (missing.length > 0);
  });
}

function fileOf({ bytes, name, ...options }: StoredPhoto): File {
  return new File([bytes], name, options);
}

/** The seller's draft, and the form that was sent and not answered; null for what there is not. */
export function readDraft(
  sellerId: string,
): Promise<{ fields: DraftFields | null; photos: DraftPhoto[]; sentForm: SentForm | null }> {
  return readStore(async (store) => {
    const nothing = { fields: null, photos: [], sentForm: null };
    if (!(await isOwner(store, sellerId))) return nothing;
    const sentForm = sentFormSchema.safeParse(await promisifyRequest<unknown>(store.get(keys.sentForm)));
    const draft = storedDraftSchema.safeParse(await promisifyRequest<unknown>(store.get(keys.draft)));
    // There is none, or another version wrote it.
    if (!draft.success) return nothing;
    const { photoIds, ...fields } = draft.data;
    const photos: DraftPhoto[] = [];
    for (const id of photoIds) {
      const stored = storedPhotoSchema.safeParse(
        await promisifyRequest<unknown>(store.get(photoPrefix + id)),
      );
      // Otherwise another version wrote it.
      if (!stored.success) continue;
      photos.push({ id, file: fileOf(stored.data) });
    }
    return { fields, photos, sentForm: sentForm.success ? sentForm.data : null };
  });
}

/** Records the form that is being sent; null when it was answered. */
export function writeSentForm(sellerId: string, sentForm: SentForm | null): Promise<void> {
  return writeInOrder(async (store) => {
    if (!(await isOwner(store, sellerId))) return;
    if (sentForm === null) store.delete(keys.sentForm);
    else store.put(sentForm, keys.sentForm);
  });
}
