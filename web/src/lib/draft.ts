import type { QueryClient } from '@tanstack/react-query';
import { z } from 'zod';

/** What a seller has entered in the studio's form and not submitted yet. */
export interface Draft {
  sellerId: string;
  prompt: string;
  productName: string;
  /** Kept until the window is closed; photos are too large for localStorage. */
  files: File[];
}

const storedDraftSchema = z.object({ sellerId: z.string(), prompt: z.string(), productName: z.string() });
const storageKey = 'packshot-draft';
const queryKey = ['draft'] as const;

/** Saves a draft: its text survives a reload, its files only while the window is open. */
export function saveDraft(client: QueryClient, draft: Draft): void {
  client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY, structuralSharing: false });
  client.setQueryData<Draft>(queryKey, draft);
  const { sellerId, prompt, productName } = draft;
  try {
    if (prompt === '' && productName === '') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify({ sellerId, prompt, productName }));
  } catch {
    // Storage may be blocked or full: the draft then lasts until the window is closed.
  }
}

/** The seller's draft; null if there is none. */
export function findDraft(client: QueryClient, sellerId: string): Draft | null {
  const draft = client.getQueryData<Draft>(queryKey) ?? readStoredDraft();
  return draft?.sellerId === sellerId ? draft : null;
}

function readStoredDraft(): Draft | null {
  try {
    const draft = storedDraftSchema.parse(JSON.parse(localStorage.getItem(storageKey) ?? 'null'));
    return { ...draft, files: [] };
  } catch {
    // There is none, storage is blocked, or another version wrote it.
    return null;
  }
}

/** Removes the draft of any seller. */
export function removeDraft(client: QueryClient): void {
  client.removeQueries({ queryKey });
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Nothing was stored if storage is blocked.
  }
}
