import { useEffect, useState } from 'react';
import type { GenerationView } from '#contract';
import { fetchPreview } from './api/fetch-preview.ts';

/**
 * The newest preview of a generation as an object URL, also after the generation has ended: the server has it only
 * while it is the newest of one that runs.
 * @returns null while none is here
 */
export function usePreview(view: GenerationView | null | undefined): string | null {
  const [held, setHeld] = useState<{ id: string; url: string } | null>(null);
  const id = view?.id ?? null;
  const source = view?.previewUrl ?? null;
  useEffect(() => {
    if (id === null || source === null) return;
    const leaving = new AbortController();
    fetchPreview(source, leaving.signal)
      .then((picture) => {
        if (picture && !leaving.signal.aborted) setHeld({ id, url: URL.createObjectURL(picture) });
      })
      // The next one is fetched again; until then the last one stays.
      .catch(() => {});
    return () => leaving.abort();
  }, [id, source]);
  useEffect(() => () => void (held && URL.revokeObjectURL(held.url)), [held]);
  return held !== null && held.id === id ? held.url : null;
}
