import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Settings } from '#contract';
import { showLanguage } from '#web/lib/dates.ts';
import { dropDraft } from '#web/lib/draft.ts';
import { showTheme } from '#web/lib/theme.ts';

/** Has the window look and behave as the signed-in seller has set it. */
export function useFollowSettings({ theme, language, autoSave }: Settings): void {
  const client = useQueryClient();
  useEffect(() => showTheme(theme), [theme]);
  useEffect(() => showLanguage(language), [language]);
  useEffect(() => {
    if (!autoSave) dropDraft(client);
  }, [autoSave, client]);
}
