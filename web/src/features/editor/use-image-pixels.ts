import { useEffect, useState } from 'react';
import type { EditPixels } from '#contract/edit-geometry.ts';
import { isCanvasReliable, openImage } from '#web/lib/browser-images.ts';
import { readPixels, readProduct } from './preview.ts';

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

/**
 * Where the product of an image is, once it is wanted. The server finds it out, which takes a moment.
 * @param pixels of the image @returns undefined while it is loading; null if it cannot be loaded
 */
export function useProduct(url: string, pixels: unknown, isWanted: boolean): EditPixels | null | undefined {
  const [product, setProduct] = useState<EditPixels | null>();
  const image = typeof pixels === 'object' ? (pixels as EditPixels) : undefined;
  useEffect(() => {
    if (!image || !isWanted) return;
    let isCurrent = true;
    void openImage(`${url}-product`).then((plane) => {
      if (isCurrent) setProduct(plane instanceof HTMLImageElement ? readProduct(plane, image) : null);
    });
    return () => {
      isCurrent = false;
    };
  }, [url, image, isWanted]);
  return product;
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
