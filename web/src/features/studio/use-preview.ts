import { useEffect, useState } from 'react';
import type { GenerationView } from '#contract';
import { fetchPreview } from './api/fetch-preview.ts';

/**
 * The newest preview of a generation as an object URL. It stays after the generation has ended; the server serves only
 * the newest preview of a running one.
 * @returns null if there is none
 */
export function usePreview(view: GenerationView | null | undefined): string | null {
  const [preview, setPreview] = useState<{ id: string; url: string } | null>(null);
  const id = view?.id ?? null;
  const sourceUrl = view?.previewUrl ?? null;
  useEffect(() => {
    if (id === null || sourceUrl === null) return;
    const controller = new AbortController();
    fetchPreview(sourceUrl, controller.signal)
      .then((image) => {
        if (image && !controller.signal.aborted) setPreview({ id, url: URL.createObjectURL(image) });
      })
      // The current preview stays until the next one comes.
      .catch(() => {});
    return () => controller.abort();
  }, [id, sourceUrl]);
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview.url)), [preview]);
  return preview !== null && preview.id === id ? preview.url : null;
}
