import type { QueryClient } from '@tanstack/react-query';
import type { Me } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';

/** Updates the cached account after two-factor sign-in was turned on or off. */
export function cacheTwoFactor(client: QueryClient, enabled: boolean): void {
  client.setQueryData<Me | null>(
    queryKeys.me,
    (me) => me && { ...me, user: { ...me.user, twoFactorEnabled: enabled } },
  );
  client.invalidateQueries({ queryKey: queryKeys.activity });
  client.invalidateQueries({ queryKey: queryKeys.sessions });
}
