import { useState } from 'react';
import { networkError } from '#web/lib/api.ts';
import { createComponentCode } from '#web/lib/component-code.ts';
import { showRefusal } from '#web/ui/show-refusal.ts';

const libraryCode = createComponentCode(async () => (await import('./scene-library.tsx')).SceneLibrary);

/** The scene library, whose code and pictures are loaded when the seller is about to open it. */
export function useSceneLibrary() {
  const [open, setOpen] = useState(false);
  return {
    open,
    /** Undefined until it was opened. */
    Library: libraryCode.component,
    /** Starts loading; opening it reports an error. */
    preload: () => void libraryCode.preload(),
    show: () =>
      libraryCode.load().then(
        () => setOpen(true),
        () => showRefusal(networkError().message),
      ),
    close: () => setOpen(false),
  };
}
