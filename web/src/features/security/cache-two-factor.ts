import type { QueryClient } from '@tanstack/react-query';
import type { FactorList, Me } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';

/** Updates the cached account after two-factor sign-in was turned on or off. */
function cacheTwoFactor(client: QueryClient, enabled: boolean): void {
  client.setQueryData<Me | null>(
    queryKeys.me,
    (me) => me && { ...me, user: { ...me.user, twoFactorEnabled: enabled } },
  );
  client.invalidateQueries({ queryKey: queryKeys.activity });
  client.invalidateQueries({ queryKey: queryKeys.sessions });
}

/**
 * The same after a passkey or an authenticator app was added or removed, which may leave two-factor sign-in as it was.
 * @param app whether there is an app now, if that has changed
 */
export function cacheFactors(client: QueryClient, enabled: boolean, app?: boolean): void {
  cacheTwoFactor(client, enabled);
  if (app !== undefined) {
    client.setQueryData<FactorList>(queryKeys.factors, (factors) => factors && { ...factors, app });
  }
  client.invalidateQueries({ queryKey: queryKeys.factors });
  client.invalidateQueries({ queryKey: queryKeys.sessions });
}
