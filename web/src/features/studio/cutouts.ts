import { useEffect, useRef, useState } from 'react';

/** The product of a photo without its background. */
export interface Cutout {
  /** An object URL. */
  url: string;
  /** Width by height. */
  ratio: number;
}

/**
 * The cutouts of photos, by their ids; null for a photo whose product cannot be cut out, `unanswered` if the server could not be
 * asked, nothing while that is not known.
 */
type Cutouts = Readonly<Record<string, Cutout | 'unanswered' | null>>;

/** Keeps the cutouts of photos; their URLs are revoked with the component. */
export function useCutouts() {
  const [cutouts, setCutouts] = useState<Cutouts>({});
  const urls = useRef<string[]>([]);
  useEffect(
    () => () => {
      for (const url of urls.current) URL.revokeObjectURL(url);
    },
    [],
  );
  return {
    cutouts,
    /** The server could not be asked. */
    saveUnanswered: (id: string) => setCutouts((known) => ({ ...known, [id]: 'unanswered' })),
    /** @param webp as base64; null for none */
    save: async (id: string, webp: string | null) => {
      const cutout = webp === null ? null : await readCutout(webp);
      if (cutout) urls.current.push(cutout.url);
      setCutouts((known) => ({ ...known, [id]: cutout }));
    },
  };
}

/** @returns null if this browser cannot show it */
async function readCutout(webp: string): Promise<Cutout | null> {
  const bytes = Uint8Array.from(atob(webp), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: 'image/webp' }));
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return { url, ratio: image.naturalWidth / image.naturalHeight };
  } catch {
    URL.revokeObjectURL(url);
    return null;
  }
}
