import type { QueryClient } from '@tanstack/react-query';
import { type Me, paths, settingsSchema, type Theme } from '#contract';
import { callApi } from './api.ts';
import { queryKeys } from './query-keys.ts';

/**
 * Saves the theme in the account of whoever is signed in.
 * @param client has the account in its cache, if this window has asked for it
 * @throws ApiError
 */
export async function saveTheme(theme: Theme, client: QueryClient | undefined): Promise<void> {
  client?.setQueryData<Me | null>(queryKeys.me, (me) => me && { ...me, settings: { ...me.settings, theme } });
  await callApi('PATCH', paths.settings, settingsSchema, { body: { theme } });
}
