import { useEffect, useEffectEvent } from 'react';
import { shortcutOf } from '#web/lib/shortcut.ts';

const kinds: Readonly<Record<string, 'undo' | 'redo'>> = { 'Mod+z': 'undo', 'Mod+Shift+z': 'redo' };

/** Calls `onStep` for Ctrl+Z and Ctrl+Shift+Z, on a Mac with Cmd; not in a field, where they undo what was typed. */
export function useUndoKeys(onStep: (kind: 'undo' | 'redo') => void): void {
  const step = useEffectEvent(onStep);
  useEffect(() => {
    const answer = (event: KeyboardEvent) => {
      const kind = kinds[shortcutOf(event)];
      const isTyping = event.target instanceof HTMLInputElement && event.target.type !== 'range';
      if (isTyping || !kind) return;
      event.preventDefault();
      step(kind);
    };
    window.addEventListener('keydown', answer);
    return () => window.removeEventListener('keydown', answer);
  }, []);
}
