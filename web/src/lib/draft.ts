import type { QueryClient } from '@tanstack/react-query';
import type { Me } from '#contract';
import {
  claimStore,
  clearStore,
  type DraftFields,
  type DraftPhoto,
  readDraft,
  type SentForm,
  writeDraft,
  writeSentForm,
} from './draft-store.ts';
import { findDraftText, removeDraftText, saveDraftText, withDraftText } from './draft-text.ts';
import { waitForWrite } from './leaving.ts';
import { queryKeys } from './query-keys.ts';
import { removeStudioOptions } from './studio-options.ts';

export type { DraftPhoto, SentForm } from './draft-store.ts';

/** What is in the studio's form. It stays when the form was submitted, for the next image. */
export interface Draft extends DraftFields {
  photos: readonly DraftPhoto[];
}

/** The draft as this window knows it. It is all there is where the browser blocks storage. */
interface CachedDraft extends Draft {
  sellerId: string;
}

const queryKey = ['draft'] as const;

/** The seller's draft in this window; null if there is none. */
export function findCachedDraft(client: QueryClient, sellerId: string): Draft | null {
  const draft = client.getQueryData<CachedDraft>(queryKey);
  return draft?.sellerId === sellerId ? draft : null;
}

/**
 * The seller's draft in this browser, after a reload or a crash; null if there is none. `sentForm` is the form that was
 * sent and not answered.
 */
export async function loadDraft(
  sellerId: string,
): Promise<{ draft: Draft | null; sentForm: SentForm | null }> {
  const text = findDraftText(sellerId);
  try {
    const { fields, photos, sentForm } = await readDraft(sellerId);
    return { draft: withDraftText(fields && { ...fields, photos }, text), sentForm };
  } catch {
    return { draft: withDraftText(null, text), sentForm: null };
  }
}

/**
 * Saves what {@link saveDraft} may not finish because the page is being left.
 * @param restored whether the form has its photos already
 */
export function saveTextNow(sellerId: string, { photos, ...fields }: Draft, restored: boolean): void {
  saveDraftText({ ...fields, sellerId, photoIds: restored ? photos.map(({ id }) => id) : null });
}

/** Saves a draft in this window and this browser. @returns false if there was no room for its photos */
export async function saveDraft(client: QueryClient, sellerId: string, draft: Draft): Promise<boolean> {
  client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY, structuralSharing: false });
  client.setQueryData<CachedDraft>(queryKey, { ...draft, sellerId });
  removeDraftText();
  const { photos, ...fields } = draft;
  try {
    await writeDraft(sellerId, fields, photos);
    return true;
  } catch (error) {
    // The texts need hardly any room.
    const textsKept = await writeDraft(sellerId, fields, photos, { writePhotos: false }).then(
      () => true,
      () => false,
    );
    // Storage that is blocked keeps nothing: the draft lasts until the window is closed.
    return !(textsKept && error instanceof DOMException && photos.length > 0);
  }
}

/** The signed-in seller whose draft this browser keeps; null if the seller has turned that off. */
function keptFor(client: QueryClient): string | null {
  const me = client.getQueryData<Me | null>(queryKeys.me);
  return me?.settings.autoSave ? me.user.id : null;
}

/**
 * Records a form that is being sent, so that after a crash it is sent again as the same request; null once answered.
 * Resolves when it is recorded, cannot be, or takes too long: sent before, a crash could make its images twice.
 */
export async function saveSentForm(client: QueryClient, sentForm: SentForm | null): Promise<void> {
  const sellerId = keptFor(client);
  if (sellerId !== null) await waitForWrite(writeSentForm(sellerId, sentForm).catch(ignoreBlockedStorage));
}

/** Removes the draft and the remembered options. @param signedOut whether the seller is no longer signed in */
export function removeDraft(client: QueryClient, { signedOut }: { signedOut: boolean }): void {
  client.removeQueries({ queryKey });
  removeDraftText();
  removeStudioOptions();
  void clearStore({ keepOwner: !signedOut }).catch(ignoreBlockedStorage);
}

/** Call when the server has said who is signed in: the draft of another seller is removed from this browser. */
export function claimDrafts(sellerId: string): void {
  if (findDraftText(sellerId) === null) removeDraftText();
  void claimStore(sellerId).catch(ignoreBlockedStorage);
}

/** Forgets the draft in this window: the seller has signed out in another one, which removed the rest. */
export function forgetCachedDraft(client: QueryClient): void {
  client.removeQueries({ queryKey });
}

function ignoreBlockedStorage(): void {
  // What could not be written does not have to be removed.
}
