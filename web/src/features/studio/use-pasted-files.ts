import { useEffect, useEffectEvent } from 'react';

/** Whether a paste into this element would write there. */
function takesText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'));
}

/** Calls back with files that are pasted anywhere on the page; pasting text while typing stays what it is. */
export function usePastedFiles(onFiles: (files: File[]) => void): void {
  const pasted = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.types.includes('text/plain');
    if (files.length === 0 || (takesText(event.target) && text)) return;
    event.preventDefault();
    onFiles(files);
  });
  useEffect(() => {
    window.addEventListener('paste', pasted);
    return () => window.removeEventListener('paste', pasted);
  }, []);
}
