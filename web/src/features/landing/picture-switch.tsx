import { type RefObject, useEffect, useState } from 'react';
import type { SitePicture } from '#web/pictures/picture-group.ts';
import { Picture } from '#web/ui/picture.tsx';

interface PictureSwitchProps {
  /** The one that is shown. */
  shown: SitePicture;
  /** Others that the visitor may choose next: they load now. */
  preload: readonly SitePicture[];
  sizes: string;
  /** Whether it is visible when the page opens. */
  atTop?: boolean;
}

/** One of several square pictures, in an element that is positioned; the last one stays until the next one has loaded. */
export function PictureSwitch({ shown, preload, sizes, atTop = false }: PictureSwitchProps) {
  const [{ current, previous }, setHistory] = useState({ current: shown, previous: shown });
  if (current !== shown) setHistory({ current: shown, previous: current });
  const rendered = [...new Set([...preload, previous, shown])];
  return rendered.map((picture) => (
    <Picture
      key={picture.src}
      picture={picture}
      alt={picture === shown ? picture.alt : ''}
      sizes={sizes}
      loading={atTop || picture !== shown || previous !== shown ? 'eager' : 'lazy'}
      {...(atTop && picture === shown ? { fetchPriority: 'high' } : {})}
      className={layerClass(picture === shown, picture === previous)}
    />
  ));
}

function layerClass(isShown: boolean, isPrevious: boolean): string {
  const layer = isShown ? 'z-1' : isPrevious ? '' : 'invisible';
  return `absolute inset-0 size-full object-cover ${layer}`;
}

/** Whether the pointer or the focus has been on an element: its next pictures may then be loaded. */
export function useHasInteracted(element: RefObject<HTMLElement | null>): boolean {
  const [isUsed, setIsUsed] = useState(false);
  useEffect(() => {
    const used = () => setIsUsed(true);
    const target = element.current;
    target?.addEventListener('pointerenter', used, { once: true });
    target?.addEventListener('focusin', used, { once: true });
    return () => {
      target?.removeEventListener('pointerenter', used);
      target?.removeEventListener('focusin', used);
    };
  }, [element]);
  return isUsed;
}
