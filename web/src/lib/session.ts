import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type Me, meSchema, paths } from '../../../shared/contract/index.ts';
import { ApiError, callApi } from './api.ts';
import { keys } from './generations/cache.ts';

/** `expired`: the server no longer knows it. `ended`: signed out in another window. `left`: signed out here. */
export type SessionEnd = 'expired' | 'ended' | 'left';

const hint = 'packshot-signed-in';
let lastEnd: SessionEnd | null = null;
let leaving = false;
let lastUserId: string | null = null;

/** Whether this browser was signed in when last seen: visitors who never were are not asked for their account. */
export function maySignedIn(): boolean {
  try {
    return localStorage.getItem(hint) !== null;
  } catch {
    return true;
  }
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
export function beginSession(client: QueryClient, { user, subscription, imageProvider }: Me): void {
  lastEnd = null;
  leaving = false;
  remember(true);
  if (user.id !== lastUserId) forgetSeller(client);
  const me: Me = { user, subscription, imageProvider };
  client.setQueryData<Me | null>(keys.me, () => me);
}

/** Ends the session on the screen; protected pages then lead to the sign-in page. Does nothing without a session. */
export function endSession(client: QueryClient, end: SessionEnd): void {
  const me = client.getQueryData<Me | null>(keys.me);
  if (!me) return;
  lastEnd = leaving ? 'left' : end;
  // Who left on purpose leaves nothing behind in this window.
  lastUserId = lastEnd === 'left' ? null : me.user.id;
  remember(false);
  client.setQueryData<Me | null>(keys.me, null);
}

/** Says that this window is signing out: the server's own notice of it is then no surprise. */
export function setLeaving(now: boolean): void {
  leaving = now;
}

/** How the last session of this window ended; null before one did. */
export function lastSessionEnd(): SessionEnd | null {
  return lastEnd;
}
