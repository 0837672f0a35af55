import type { QueryClient } from '@tanstack/react-query';
import type { Me } from '#contract';
import { keys } from '#web/lib/generations/cache.ts';

/** Notes on the screen that two-factor sign-in is on or off now. */
export function takeTwoFactor(client: QueryClient, enabled: boolean): void {
  client.setQueryData<Me | null>(
    keys.me,
    (me) => me && { ...me, user: { ...me.user, twoFactorEnabled: enabled } },
  );
  client.invalidateQueries({ queryKey: keys.activity });
}
