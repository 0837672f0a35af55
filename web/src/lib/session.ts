import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type Me, meSchema, paths } from '#contract';
import { ApiError, callApi } from './api.ts';
import { dropDraft } from './draft.ts';
import { keys } from './generations/cache.ts';

/**
 * `expired`: the server no longer knows it. `ended`: signed out in another window. `left`: signed out here.
 * `deleted`: the account was deleted here.
 */
export type SessionEnd = 'expired' | 'ended' | 'left' | 'deleted';

const hint = 'packshot-signed-in';
let lastEnd: SessionEnd | null = null;
let leaving: SessionEnd | null = null;
let lastUserId: string | null = null;

/** Whether this browser was signed in when last seen: visitors who never were are not asked for their account. */
export function maySignedIn(): boolean {
  try {
    return localStorage.getItem(hint) !== null;
  } catch {
    return true;
  }
}

/** {@link maySignedIn}, kept up to date: another window may sign in, by the link in a mail for instance. */
export function useMaySignedIn(): boolean {
  return useSyncExternalStore((changed) => {
    window.addEventListener('storage', changed);
    return () => window.removeEventListener('storage', changed);
  }, maySignedIn);
}

function remember(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(hint, 'yes');
    else localStorage.removeItem(hint);
  } catch {
    // Storage may be blocked; then the account is asked for on every visit.
  }
}

/** The account that is signed in; null when none is. @throws ApiError */
export async function fetchMe(signal?: AbortSignal): Promise<Me | null> {
  try {
    const me = await callApi('GET', paths.me, meSchema, { signal });
    remember(true);
    return me;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'UNAUTHENTICATED') throw error;
    remember(false);
    return null;
  }
}

/** The account that is signed in: `data` is null when none is, undefined while that is not known. */
export function useMe({ enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({
    queryKey: keys.me,
    queryFn: async ({ client, signal }) => {
      const me = await fetchMe(signal);
      const held = client.getQueryData<Me | null>(keys.me);
      // Another seller signed in in another window: the cookie is theirs now, and so must the screen be.
      if (me && held && me.user.id !== held.user.id) forgetSeller(client);
      return me;
    },
    enabled,
    staleTime: 60_000,
  });
}

/** Drops everything that is a seller's own, but for the account. */
function forgetSeller(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== keys.me[0] });
}

/** Takes the account of a new session; nothing of another seller's stays. */
export function beginSession(client: QueryClient, { user, subscription, settings, imageProvider }: Me): void {
  lastEnd = null;
  leaving = null;
  remember(true);
  if (user.id !== lastUserId) forgetSeller(client);
  const me: Me = { user, subscription, settings, imageProvider };
  client.setQueryData<Me | null>(keys.me, () => me);
}

/** Ends the session on the screen; protected pages then lead to the sign-in page. Does nothing without a session. */
export function endSession(client: QueryClient, end: SessionEnd): void {
  const me = client.getQueryData<Me | null>(keys.me);
  if (!me) return;
  lastEnd = leaving ?? end;
  // Who left on purpose leaves nothing behind in this browser.
  const leftOnPurpose = lastEnd === 'left' || lastEnd === 'deleted';
  lastUserId = leftOnPurpose ? null : me.user.id;
  if (leftOnPurpose) dropDraft(client);
  remember(false);
  client.setQueryData<Me | null>(keys.me, null);
}

/** Says that this window ends the session itself, and how: the server's own notice of it is then no surprise. */
export function setLeaving(how: 'left' | 'deleted' | null): void {
  leaving = how;
}

/** How the last session of this window ended; null before one did. */
export function lastSessionEnd(): SessionEnd | null {
  return lastEnd;
}
