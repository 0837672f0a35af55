import { type ComponentType, type ReactNode, useState } from 'react';
import { networkError } from '#web/lib/api.ts';
import { showRefusal } from '#web/ui/show-refusal.ts';
import type { ViewerImage, ViewerProps } from './viewer.tsx';

/** The viewer's code; undefined until it is loaded. */
let Viewer: ComponentType<ViewerProps> | undefined;

async function load(): Promise<void> {
  Viewer ??= (await import('./viewer.tsx')).Viewer;
}

interface ViewedImages {
  images: readonly ViewerImage[];
  /** The index of the image that it opens with. */
  shown: number;
  /** @param index of the image that was seen last */
  onClose: (index: number) => void;
}

/** The full-screen viewer of some images. */
export function useViewer({ images, shown, onClose }: ViewedImages): {
  /** Loads its code, before the seller opens it. */
  prepare: () => void;
  show: () => void;
  /** To be rendered anywhere. */
  element: ReactNode;
} {
  const [open, setOpen] = useState(false);
  return {
    prepare: () => void load().catch(() => {}),
    show: () =>
      void load().then(
        () => setOpen(true),
        () => showRefusal(networkError().message),
      ),
    element: open && Viewer && (
      <Viewer
        images={images}
        shown={shown}
        onClose={(index) => {
          setOpen(false);
          onClose(index);
        }}
      />
    ),
  };
}
