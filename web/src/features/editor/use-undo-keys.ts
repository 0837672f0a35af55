import { useEffect, useEffectEvent } from 'react';

/** Calls `onStep` for Ctrl+Z and Ctrl+Shift+Z, on a Mac with Cmd; not in a field, where they undo what was typed. */
export function useUndoKeys(onStep: (kind: 'undo' | 'redo') => void): void {
  const step = useEffectEvent(onStep);
  useEffect(() => {
    const answer = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'number';
      if (isTyping || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
      event.preventDefault();
      step(event.shiftKey ? 'redo' : 'undo');
    };
    window.addEventListener('keydown', answer);
    return () => window.removeEventListener('keydown', answer);
  }, []);
}
