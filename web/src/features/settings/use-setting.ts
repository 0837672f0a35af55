import { useEffect, useState } from 'react';
import type { Settings } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { useChangeSettings } from '#web/lib/settings.ts';
import type { SaveState } from './setting-row.tsx';

/** How long "Saved" stays, in ms. */
const savedFor = 2_500;

/** Changes one setting, saved at once. @returns what became of it, and the way to change it */
export function useSetting<Name extends keyof Settings>(
  name: Name,
): { state: SaveState; set: (value: Settings[Name]) => void } {
  const { mutate, status, error, submittedAt } = useChangeSettings();
  const [fresh, setFresh] = useState(false);
  // Also where the same setting is saved again within the time that "Saved" stays.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change starts the time anew
  useEffect(() => {
    if (status !== 'success') return;
    setFresh(true);
    const timer = setTimeout(() => setFresh(false), savedFor);
    return () => clearTimeout(timer);
  }, [status, submittedAt]);
  const state: SaveState =
    status === 'pending'
      ? 'saving'
      : status === 'error'
        ? { problem: messageOf(error) }
        : status === 'success' && fresh
          ? 'saved'
          : 'still';
  return { state, set: (value) => mutate({ [name]: value }) };
}
