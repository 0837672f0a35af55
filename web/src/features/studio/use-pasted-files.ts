import { useEffect, useEffectEvent } from 'react';

/** Whether text can be pasted into this element. */
function acceptsText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'));
}

/** Calls `onFiles` with files pasted anywhere on the page. Pasting text into text fields still works. */
export function usePastedFiles(onFiles: (files: File[]) => void): void {
  const pasted = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.types.includes('text/plain');
    if (files.length === 0 || (acceptsText(event.target) && text)) return;
    event.preventDefault();
    onFiles(files);
  });
  useEffect(() => {
    window.addEventListener('paste', pasted);
    return () => window.removeEventListener('paste', pasted);
  }, []);
}
