import { type ComponentType, useState } from 'react';
import { networkError } from '#web/lib/api.ts';
import { showRefusal } from '#web/ui/show-refusal.ts';
import type { SceneLibraryProps } from './scene-library.tsx';

/** The library's code; undefined until it is loaded. */
let library: ComponentType<SceneLibraryProps> | undefined;

async function load(): Promise<void> {
  library ??= (await import('./scene-library.tsx')).SceneLibrary;
}

/** The scene library, whose code and pictures are loaded when the seller is about to open it. */
export function useSceneLibrary() {
  const [open, setOpen] = useState(false);
  return {
    open,
    /** Undefined until it was opened. */
    Library: library,
    /** Starts loading; opening it reports an error. */
    preload: () => void load().catch(() => {}),
    show: () =>
      load().then(
        () => setOpen(true),
        () => showRefusal(networkError().message),
      ),
    close: () => setOpen(false),
  };
}
