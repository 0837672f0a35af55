import { createStore, del, get, set } from 'idb-keyval';
import { z } from 'zod';
import { limits, type SketchScene, sketchScenes } from '#contract';
import { setVisitorPhotoFlag } from './visitor-photo-flag.ts';

/** A photo that was tried on the landing page, and the scene that was chosen: the studio has them after sign-up. */
const visitorPhotoSchema = z.object({
  scene: z.enum(sketchScenes).nullable(),
  /** Bytes, because Safari gives back an empty body for a stored file. */
  bytes: z.instanceof(ArrayBuffer),
  name: z.string(),
  type: z.string(),
  lastModified: z.number(),
  keptAt: z.number(),
});

export interface VisitorPhoto {
  /** Null if it was not seen in any. */
  scene: SketchScene | null;
  file: File;
}

/** Apart from the drafts of sellers: it belongs to nobody yet. */
const openStore = createStore('packshot-visitor', 'photo');
const key = 'photo';

/** Keeps a photo in this browser. @throws DOMException if storage is blocked or full */
export async function keepVisitorPhoto({ scene, file }: VisitorPhoto): Promise<void> {
  const { name, type, lastModified } = file;
  const bytes = await file.arrayBuffer();
  // Before, so that no photo is kept without it; and after, because another window may have found none meanwhile.
  setVisitorPhotoFlag(true);
  await set(key, { scene, bytes, name, type, lastModified, keptAt: Date.now() }, openStore);
  setVisitorPhotoFlag(true);
}

/** The photo that is kept in this browser; null if there is none. One that was kept for too long is removed. */
export async function findVisitorPhoto(): Promise<VisitorPhoto | null> {
  let stored: unknown;
  try {
    stored = await get(key, openStore);
  } catch {
    // It may be read the next time.
    return null;
  }
  const read = visitorPhotoSchema.safeParse(stored);
  // There is none, another version wrote it, or nobody signed up.
  if (!read.success || Date.now() - read.data.keptAt > limits.visitorPhotoHours * 3_600_000) {
    await removeVisitorPhoto();
    return null;
  }
  const { scene, bytes, name, type, lastModified } = read.data;
  return { scene, file: new File([bytes], name, { type, lastModified }) };
}

/** Removes the photo from this browser. If that fails, its flag stays: it is tried again when a photo is looked for. */
export async function removeVisitorPhoto(): Promise<void> {
  try {
    await del(key, openStore);
    setVisitorPhotoFlag(false);
  } catch {
    // Storage is blocked or damaged.
  }
}
