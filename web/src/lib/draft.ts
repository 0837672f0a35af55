import type { QueryClient } from '@tanstack/react-query';

/** What a seller has put into the studio's form and not sent for good. */
export interface Draft {
  sellerId: string;
  prompt: string;
  productName: string;
  /** Kept as long as the window is open; photos are too large for the browser's storage. */
  files: File[];
}

const storageKey = 'packshot-draft';
const cacheKey = ['draft'] as const;

/** Keeps a draft: whole while the window is open, its text also after a reload. */
export function keepDraft(client: QueryClient, draft: Draft): void {
  client.setQueryDefaults(cacheKey, { gcTime: Number.POSITIVE_INFINITY, structuralSharing: false });
  client.setQueryData<Draft>(cacheKey, draft);
  const { sellerId, prompt, productName } = draft;
  try {
    if (prompt === '' && productName === '') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify({ sellerId, prompt, productName }));
  } catch {
    // Storage may be blocked or full: the draft then lasts as long as the window.
  }
}

/** The draft that this seller left; null without one. */
export function findDraft(client: QueryClient, sellerId: string): Draft | null {
  const held = client.getQueryData<Draft>(cacheKey) ?? stored();
  return held?.sellerId === sellerId ? held : null;
}

function stored(): Draft | null {
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
    // Blocked, or written by something else.
    return null;
  }
}

/** Forgets the draft, whoever left it. */
export function dropDraft(client: QueryClient): void {
  client.removeQueries({ queryKey: cacheKey });
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Blocked storage has kept nothing.
  }
}
