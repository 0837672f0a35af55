import { useEffect, useState } from 'react';
import type { EditPixels } from '#contract/edit-pixels.ts';
import { readPixels } from './preview.ts';

/** Longest side in pixels of the image that previews are computed from: larger ones would follow a slider too slowly. */
const previewSide = 720;

/** The pixels of an image for previews; undefined while it is loading, null if it cannot be loaded. */
export function useImagePixels(url: string): EditPixels | null | undefined {
  const [pixels, setPixels] = useState<EditPixels | null>();
  useEffect(() => {
    let isCurrent = true;
    const image = new Image();
    // The server then sends the image itself: the pixels of one from another origin cannot be read.
    image.crossOrigin = 'use-credentials';
    image.src = url;
    image.decode().then(
      () => isCurrent && setPixels(readPixels(image, previewSide)),
      () => isCurrent && setPixels(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [url]);
  return pixels;
}
