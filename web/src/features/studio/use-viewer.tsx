import type { ReactNode } from 'react';
import { createComponentCode } from '#web/lib/component-code.ts';
import { useLoadedDialog } from '#web/ui/use-loaded-dialog.ts';
import type { ViewerImage } from './viewer.tsx';

const viewerCode = createComponentCode(async () => (await import('./viewer.tsx')).Viewer);

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
  const { Dialog: Viewer, preload, show, close } = useLoadedDialog(viewerCode);
  return {
    prepare: preload,
    show,
    element: Viewer && (
      <Viewer
        images={images}
        shown={shown}
        onClose={(index) => {
          close();
          onClose(index);
        }}
      />
    ),
  };
}
