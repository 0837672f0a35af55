import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type Me, paths, type SessionReply } from '#contract';
import { ApiError, callApi } from './api.ts';
import { claimDrafts, forgetCachedDraft, removeDraft } from './draft.ts';
import { loadAccountSchemas } from './load-account-schemas.ts';
import { queryKeys } from './query-keys.ts';
import { forgetSignedIn, mayBeSignedIn } from './signed-in-flag.ts';

export { useMayBeSignedIn } from './signed-in-flag.ts';

/**
 * `expired`: the server no longer knows the session. `ended`: signed out in another window. `signed-out` and
 * `account-deleted`: by the seller, in this window.
 */
export const sessionEndReasons = ['expired', 'ended', 'signed-out', 'account-deleted'] as const;
type SessionEndReason = (typeof sessionEndReasons)[number];

let lastReason: SessionEndReason | null = null;
let expectedReason: SessionEndReason | null = null;
let lastSellerId: string | null = null;

/** The signed-in account; null if nobody is signed in. @throws ApiError */
export async function fetchMe(signal?: AbortSignal): Promise<Me | null> {
  const { meSchema } = await loadAccountSchemas();
  try {
    const me = await callApi('GET', paths.me, meSchema, { signal });
    claimDrafts(me.user.id);
    return me;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'UNAUTHENTICATED') throw error;
    forgetSignedIn();
    return null;
  }
}

const cookiesBlockedText =
  "Your browser blocks cookies, so you can't be signed in. Allow cookies for this site in its settings, then try again.";

/** Call when the server has begun a session: whether this browser has kept its cookie. @throws ApiError COOKIES_BLOCKED if not */
export async function expectCookie(): Promise<void> {
  // Without a reply it is unknown, and the next request will tell.
  const me = await fetchMe().catch(() => undefined);
  if (me === null) throw new ApiError('COOKIES_BLOCKED', cookiesBlockedText);
}

/** The signed-in account: `data` is null if nobody is signed in, undefined while that is unknown. */
export function useMe({ enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({
    queryKey: queryKeys.me,
    queryFn: async ({ client, signal }) => {
      const me = await fetchMe(signal);
      const cached = client.getQueryData<Me | null>(queryKeys.me);
      // Another seller signed in in another window; windows share the cookie.
      if (me && cached && me.user.id !== cached.user.id) clearSellerData(client);
      return me;
    },
    enabled,
    staleTime: 60_000,
  });
}

/** Removes everything from the cache that belongs to a seller, except the account. */
function clearSellerData(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== queryKeys.me[0] });
}

/** Shows the account of a new session; data of another seller is removed. */
export function startSession(client: QueryClient, session: Me): void {
  const { token: _, expiresAt: __, ...me }: Me & Partial<SessionReply> = session;
  const { user } = me;
  lastReason = null;
  expectedReason = null;
  claimDrafts(user.id);
  if (user.id !== lastSellerId) clearSellerData(client);
  client.setQueryData<Me | null>(queryKeys.me, () => me);
}

/** Whether the seller ended the session deliberately, in this window. */
function isDeliberate(reason: SessionEndReason | null): boolean {
  return reason === 'signed-out' || reason === 'account-deleted';
}

/** Ends the session in this window; protected pages then redirect to the sign-in page. No-op without a session. */
export function endSession(client: QueryClient, reason: SessionEndReason): void {
  const me = client.getQueryData<Me | null>(queryKeys.me);
  if (!me) return;
  lastReason = expectedReason ?? reason;
  if (isDeliberate(lastReason)) {
    lastSellerId = null;
    removeDraft(client, { signedOut: true });
  } else {
    lastSellerId = me.user.id;
    if (lastReason === 'ended') forgetCachedDraft(client);
  }
  forgetSignedIn();
  client.setQueryData<Me | null>(queryKeys.me, null);
}

/**
 * Whether the studio may save this seller's draft: while signed in, and when a session expires, because the seller will
 * sign in again; not after a sign-out.
 */
export function mayKeepDraft(client: QueryClient, sellerId: string): boolean {
  const me = client.getQueryData<Me | null>(queryKeys.me);
  // Without the cookie, another window has signed out.
  return me
    ? me.user.id === sellerId && mayBeSignedIn()
    : lastReason === 'expired' && lastSellerId === sellerId;
}

/**
 * Call before a request that ends the session, with the reason; with null if it fails. The server's own event, which
 * may come before the reply, then does not count as a sign-out elsewhere.
 */
export function expectSessionEnd(reason: 'signed-out' | 'account-deleted' | null): void {
  expectedReason = reason;
}

/** Why the last session of this window ended; null if none has. */
export function lastSessionEndReason(): SessionEndReason | null {
  return lastReason;
}
