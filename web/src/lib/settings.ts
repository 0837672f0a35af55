import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ChangeSettings, type Me, paths, type Settings, type Theme } from '#contract';
import { callApi } from './api.ts';
import { loadAccountSchemas } from './load-account-schemas.ts';
import { queryKeys } from './query-keys.ts';
import { setTheme } from './theme.ts';

const mutationKey = ['settings'];

function pick(settings: Partial<Settings>, names: readonly string[]): Partial<Settings> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));
}

/** Changes settings optimistically: shown immediately, rolled back on an error. Changes are sent in order. */
export function useChangeSettings() {
  const client = useQueryClient();
  const patchCached = (settings: Partial<Settings>) =>
    client.setQueryData<Me | null>(
      queryKeys.me,
      (me) => me && { ...me, settings: { ...me.settings, ...settings } },
    );
  /** The fields of a change that no later one, which waits for its reply, changes again: that one is shown already. */
  const notChangedAgain = (change: ChangeSettings): string[] => {
    const pending = client.getMutationCache().findAll({ mutationKey, status: 'pending' });
    const later = pending
      .map(({ state }) => state.variables as ChangeSettings)
      .filter((other) => other !== change);
    return Object.keys(change).filter((name) => !later.some((other) => name in other));
  };
  return useMutation({
    mutationKey,
    scope: { id: 'settings' },
    mutationFn: async (change: ChangeSettings) => {
      const { settingsSchema } = await loadAccountSchemas();
      return callApi('PATCH', paths.settings, settingsSchema, { body: change });
    },
    onMutate: async (change) => {
      // A reply to an earlier request would undo the change on the screen.
      await client.cancelQueries({ queryKey: queryKeys.me });
      const me = client.getQueryData<Me | null>(queryKeys.me);
      const { password: _password, ...settings } = change;
      patchCached(settings as Partial<Settings>);
      return me ? pick(me.settings, Object.keys(settings)) : {};
    },
    onSuccess: (saved, change) => {
      patchCached(pick(saved, notChangedAgain(change)));
      client.invalidateQueries({ queryKey: queryKeys.activity });
    },
    onError: (_error, change, before) => before && patchCached(pick(before, notChangedAgain(change))),
  });
}

/** Changes the theme in this browser and, if somebody is signed in, in the account. */
export function useChangeTheme(): (theme: Theme) => void {
  const client = useQueryClient();
  const { mutate } = useChangeSettings();
  return (theme) => {
    setTheme(theme);
    const me = client.getQueryData<Me | null>(queryKeys.me);
    if (me && me.settings.theme !== theme) mutate({ theme });
  };
}
