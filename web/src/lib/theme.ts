import { useSyncExternalStore } from 'react';
import { type Theme, themes } from '#contract';

/** Also read by public/prepare.js, before the first paint. */
const storageKey = 'packshot-theme';
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function stored(): Theme {
  try {
    const value = localStorage.getItem(storageKey);
    return themes.find((theme) => theme === value) ?? 'system';
  } catch {
    return 'system';
  }
}

let chosen = stored();

function apply(): void {
  const dark = chosen === 'dark' || (chosen === 'system' && systemDark.matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#171512' : '#f6f3ee');
  for (const listener of listeners) listener();
}

/** Keeps the page in the chosen theme, through changes of the system's and in other windows. Call once. */
export function followTheme(): void {
  apply();
  systemDark.addEventListener('change', apply);
  window.addEventListener('storage', (event) => {
    if (event.key !== storageKey) return;
    chosen = stored();
    apply();
  });
}

/** Shows a theme and keeps it in this browser, for the time before somebody has signed in. */
export function showTheme(theme: Theme): void {
  if (theme === chosen) return;
  chosen = theme;
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // Storage may be blocked: the choice then lasts as long as the page.
  }
  apply();
}

/** The chosen theme. */
export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => chosen,
  );
}
