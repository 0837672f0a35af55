import { useEffect, useState } from 'react';
import type { Settings } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { useChangeSettings } from '#web/lib/settings.ts';
import type { SaveState } from './setting-row.tsx';

/** How long "Saved" is shown. */
const savedLabelMs = 2_500;

/** The save state of one setting, and functions that save a new value, one of them with the password. */
export function useSetting<Name extends keyof Settings>(
  name: Name,
): {
  state: SaveState;
  set: (value: Settings[Name]) => void;
  setWithPassword: (value: Settings[Name], password: string) => Promise<unknown>;
} {
  const { mutate, mutateAsync, status, error, submittedAt } = useChangeSettings();
  const [recentlySaved, setRecentlySaved] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `submittedAt` restarts the timer with each change
  useEffect(() => {
    if (status !== 'success') return;
    setRecentlySaved(true);
    const timer = setTimeout(() => setRecentlySaved(false), savedLabelMs);
    return () => clearTimeout(timer);
  }, [status, submittedAt]);

  const state = (): SaveState => {
    if (status === 'pending') return 'saving';
    if (status === 'error') return { error: messageOf(error) };
    return status === 'success' && recentlySaved ? 'saved' : 'idle';
  };
  return {
    state: state(),
    set: (value) => mutate({ [name]: value }),
    setWithPassword: (value, password) => mutateAsync({ [name]: value, password }),
  };
}
