import { useEffect, useState } from 'react';
import type { EditPixels } from '#contract/edit-geometry.ts';
import { isCanvasReliable, openImage } from '#web/lib/browser-images.ts';
import { readPixels } from './preview.ts';

/** Longest side in pixels of the image that previews are computed from: larger ones would follow a slider too slowly. */
const previewSide = 720;

/** The pixels of an image for previews; undefined while it is loading, else why there are none. */
export function useImagePixels(url: string): EditPixels | 'not-loaded' | 'not-given' | undefined {
  const [pixels, setPixels] = useState<EditPixels | 'not-loaded' | 'not-given'>();
  useEffect(() => {
    let isCurrent = true;
    void loadPixels(url).then((loaded) => isCurrent && setPixels(loaded));
    return () => {
      isCurrent = false;
    };
  }, [url]);
  return pixels;
}

/** `not-given`: settings of this browser refuse pixels, or give others than those of the image. */
async function loadPixels(url: string): Promise<EditPixels | 'not-loaded' | 'not-given'> {
  if (!isCanvasReliable()) return 'not-given';
  const image = await openImage(url);
  if (!(image instanceof HTMLImageElement)) return 'not-loaded';
  try {
    return readPixels(image, previewSide);
  } catch {
    return 'not-given';
  }
}
