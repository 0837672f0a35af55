import { useSyncExternalStore } from 'react';
import { type Theme, themes } from '#contract';

/** Also read by public/prepare.js, before the first paint. */
const storageKey = 'packshot-theme';
const darkQuery = '(prefers-color-scheme: dark)';
const listeners = new Set<() => void>();

function readStoredTheme(): Theme {
  try {
    const value = localStorage.getItem(storageKey);
    return themes.find((theme) => theme === value) ?? 'system';
  } catch {
    return 'system';
  }
}

let current = readStoredTheme();

function applyTheme(): void {
  const dark = current === 'dark' || (current === 'system' && matchMedia(darkQuery).matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    meta.setAttribute('content', dark ? '#171512' : '#f6f3ee');
  }
  for (const listener of listeners) listener();
}

/** Applies the theme, also when the system's changes or another window changes it. Call once. */
export function initTheme(): void {
  applyTheme();
  matchMedia(darkQuery).addEventListener('change', applyTheme);
  window.addEventListener('storage', (event) => {
    if (event.key !== storageKey) return;
    current = readStoredTheme();
    applyTheme();
  });
}

/** Applies a theme and stores it in this browser. */
export function setTheme(theme: Theme): void {
  if (theme === current) return;
  current = theme;
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // Storage may be blocked: the theme then lasts until the page is closed.
  }
  applyTheme();
}

/** What was chosen in this browser; undefined while the system decides. */
export const chosenTheme = (): Theme | undefined => (current === 'system' ? undefined : current);

/** The current choice, `system` included. */
export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
    () => 'system',
  );
}
