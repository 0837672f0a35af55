import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ChangeSettings, type Me, paths, type Settings, settingsSchema, type Theme } from '#contract';
import { callApi } from './api.ts';
import { keys } from './generations/cache.ts';
import { showTheme } from './theme.ts';

/** The named fields of settings. */
function pick(settings: Settings, names: readonly string[]): Partial<Settings> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));
}

/**
 * Changes settings: on the screen at once, and back where the server refuses. Changes are sent one after the other, in
 * the order in which they were made.
 */
export function useChangeSettings() {
  const client = useQueryClient();
  const take = (settings: Partial<Settings>) =>
    client.setQueryData<Me | null>(
      keys.me,
      (me) => me && { ...me, settings: { ...me.settings, ...settings } },
    );
  return useMutation({
    scope: { id: 'settings' },
    networkMode: 'always',
    mutationFn: (change: ChangeSettings) =>
      callApi('PATCH', paths.settings, settingsSchema, { body: change }),
    onMutate: async (change) => {
      // A reply that is on its way knows nothing of the change.
      await client.cancelQueries({ queryKey: keys.me });
      const me = client.getQueryData<Me | null>(keys.me);
      take(change as Partial<Settings>);
      return me ? pick(me.settings, Object.keys(change)) : {};
    },
    // Only what was changed: another change may be on its way.
    onSuccess: (saved, change) => take(pick(saved, Object.keys(change))),
    onError: (_error, _change, before) => before && take(before),
  });
}

/** Chooses a theme: in this browser, and in the account where one is signed in. */
export function useChooseTheme(): (theme: Theme) => void {
  const client = useQueryClient();
  const change = useChangeSettings();
  return (theme) => {
    showTheme(theme);
    const me = client.getQueryData<Me | null>(keys.me);
    if (me && me.settings.theme !== theme) change.mutate({ theme });
  };
}
