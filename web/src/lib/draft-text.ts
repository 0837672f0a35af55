import { z } from 'zod';
import { type DraftFields, draftFieldsSchema } from './draft-store.ts';

/** Text that was entered right before a page was left, where a transaction of IndexedDB may not come to its end. */
const draftTextSchema = draftFieldsSchema.extend({
  sellerId: z.string(),
  /** The photos of the form; null if they were not loaded yet. */
  photoIds: z.array(z.string()).nullable(),
});
type DraftText = z.infer<typeof draftTextSchema>;

const storageKey = 'packshot-draft-text';

/** Saves text at once. */
export function saveDraftText(text: DraftText): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(text));
  } catch {
    // Storage is blocked or full.
  }
}

/** The seller's text; null if there is none. */
export function findDraftText(sellerId: string): DraftText | null {
  try {
    const text = draftTextSchema.safeParse(JSON.parse(localStorage.getItem(storageKey) ?? 'null'));
    return text.success && text.data.sellerId === sellerId ? text.data : null;
  } catch {
    return null;
  }
}

/** Removes the text of any seller. */
export function removeDraftText(): void {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Nothing was stored if storage is blocked.
  }
}

/** A stored draft with the text that was entered after it. */
export function withDraftText<Photo extends { id: string }>(
  stored: (DraftFields & { photos: readonly Photo[] }) | null,
  text: DraftText | null,
): (DraftFields & { photos: readonly Photo[] }) | null {
  if (text === null) return stored;
  const { prompt, productName, nameTyped, photosShow, photoIds } = text;
  const photos = stored?.photos ?? [];
  if (photoIds !== null) {
    const kept = photos.filter(({ id }) => photoIds.includes(id));
    return { prompt, productName, nameTyped, photosShow, photos: kept };
  }
  // The form was not restored yet: only what was entered counts.
  return {
    prompt: prompt || (stored?.prompt ?? ''),
    productName: productName || (stored?.productName ?? ''),
    nameTyped: productName === '' ? (stored?.nameTyped ?? false) : nameTyped,
    photosShow: stored?.photosShow ?? photosShow,
    photos,
  };
}
