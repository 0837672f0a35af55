import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { shortcutOf } from './shortcut.ts';

const storageKey = 'packshot-single-keys';
const listeners = new Set<() => void>();

function readStored(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
}

/** Turns shortcuts of one letter or number on or off in this browser: whoever dictates text may press them without meaning to. */
export function setSingleKeys(on: boolean): void {
  try {
    localStorage.setItem(storageKey, on ? 'on' : 'off');
  } catch {
    // Storage is blocked: they stay as they are.
  }
  for (const listener of listeners) listener();
}

/** Whether shortcuts of one letter or number are on. */
export function useSingleKeysOn(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    readStored,
    () => true,
  );
}

/**
 * Does something for a key that is pressed alone, anywhere on the page: not while a text is typed, a list is open or a dialog is
 * shown.
 * @param actions by what `shortcutOf` returns; what is undefined is left to others
 */
export function useSingleKeys(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = actions[shortcutOf(event)];
    if (!action || event.defaultPrevented || event.repeat || isForOthers(event) || !readStored()) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

const others = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
const fields = 'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]';

function isForOthers({ target }: KeyboardEvent): boolean {
  if (document.querySelector(others) !== null) return true;
  return target instanceof Element && target.closest(fields) !== null;
}
