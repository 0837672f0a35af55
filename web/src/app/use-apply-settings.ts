import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect } from 'react';
import type { Settings } from '#contract';
import { setLanguage } from '#web/lib/dates.ts';
import { removeDraft } from '#web/lib/draft.ts';
import { setTheme } from '#web/lib/theme.ts';

/** Applies the signed-in seller's theme, language and draft settings to this window. */
export function useApplySettings({ theme, language, autoSave }: Settings): void {
  const client = useQueryClient();
  // Before the page is painted: this browser may have shown another one until now.
  useLayoutEffect(() => setTheme(theme), [theme]);
  useEffect(() => setLanguage(language), [language]);
  useEffect(() => {
    if (!autoSave) removeDraft(client, { signedOut: false });
  }, [autoSave, client]);
}
