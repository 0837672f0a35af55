import type { QueryClient } from '@tanstack/react-query';

/** What a seller has entered in the studio's form and not submitted yet. */
export interface Draft {
  sellerId: string;
  prompt: string;
  productName: string;
  /** Kept until the window is closed; photos are too large for localStorage. */
  files: File[];
}

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
    const draft: Partial<Draft> | null = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    if (typeof draft?.sellerId !== 'string') return null;
    return {
      sellerId: draft.sellerId,
      prompt: String(draft.prompt ?? ''),
      productName: String(draft.productName ?? ''),
      files: [],
    };
  } catch {
    // Storage is blocked, or the entry was written by something else.
    return null;
  }
}

/** Removes the draft, whoever it belongs to. */
export function removeDraft(client: QueryClient): void {
  client.removeQueries({ queryKey });
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Nothing was stored if storage is blocked.
  }
}
