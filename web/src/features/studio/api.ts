import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import {
  type CancelGeneration,
  type CancelledGeneration,
  cancelledGenerationSchema,
  type GenerationSet,
  type GenerationView,
  generationSetSchema,
  type PhotoSubject,
  paths,
} from '#contract';
import { ApiError, callApi, messageOf, networkError } from '#web/lib/api.ts';
import { refreshGeneration } from '#web/lib/generations.ts';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import type { StudioOptions } from '#web/lib/studio-options.ts';
import { upload } from '#web/lib/upload.ts';
import type { SampleProduct } from '#web/pictures/products.ts';
import { toastError } from '#web/ui/toast-error.ts';

interface Submission {
  photos: readonly File[];
  prompt: string;
  productName: string;
  photosShow: PhotoSubject;
  options: StudioOptions;
  idempotencyKey: string;
  /** Called with the fraction of the request that was sent, 0 to 1. */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

/** Submits a generation. @throws ApiError */
export function submitGeneration(submission: Submission): Promise<GenerationSet> {
  const form = new FormData();
  // Text first: the server reads the form as a stream and can refuse it before it reads the photos.
  form.append('prompt', submission.prompt);
  form.append('photosShow', submission.photosShow);
  if (submission.productName !== '') form.append('productName', submission.productName);
  const { useSeed, seedValue, projectId, ...options } = submission.options;
  const fields = {
    ...options,
    useSeed,
    ...(useSeed && { seedValue }),
    ...(projectId !== null && { projectId }),
  };
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  for (const photo of submission.photos) form.append('images', photo);
  return upload({
    path: paths.generations,
    form,
    headers: { 'idempotency-key': submission.idempotencyKey },
    schema: generationSetSchema,
    onProgress: submission.onProgress,
    signal: submission.signal,
  });
}

/** Fetches the photos of a generation as files, to submit them again. @throws ApiError */
export function fetchPhotos(view: GenerationView): Promise<File[]> {
  return Promise.all(view.photos.map(({ url }, index) => fetchFile(url, `photo-${index + 1}`)));
}

/** Fetches a photo or an image as a file. @param name of the file, without its ending @throws ApiError */
export async function fetchFile(url: string, name: string): Promise<File> {
  const content = await fetchContent(url);
  return new File([content], `${name}.${content.type.slice('image/'.length)}`, { type: content.type });
}

/** Fetches the photo of a sample product as a file. @throws ApiError */
export async function fetchSample({ file, fileName }: SampleProduct): Promise<File> {
  return new File([await fetchContent(file)], fileName, { type: 'image/jpeg', lastModified: 0 });
}

/** @throws ApiError */
async function fetchContent(url: string): Promise<Blob> {
  try {
    const reply = await fetch(url);
    if (reply.ok) return await reply.blob();
  } catch {
    // Below, like a reply without the file.
  }
  throw networkError();
}

/** Fetches a preview. @returns undefined if a newer one has replaced it @throws if there is no reply */
async function fetchPreview(url: string, signal: AbortSignal): Promise<Blob | undefined> {
  const reply = await fetch(url, { signal });
  return reply.ok ? reply.blob() : undefined;
}

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

interface Cancellation {
  id: string;
  /** Whether the seller was told that stopping uses an image. */
  useImage: boolean;
}

/**
 * Cancels a generation.
 * @throws ApiError; GENERATION_ENDED if it is too late, PREVIEW_SHOWN if it would use an image and the seller was not
 *   told
 */
function cancelGeneration({ id, useImage }: Cancellation): Promise<CancelledGeneration> {
  const body: CancelGeneration = { useImage };
  return callApi('POST', paths.cancelGeneration(id), cancelledGenerationSchema, { body });
}

/** Cancels a generation; if that fails, a toast says why and the generation is refetched. */
export function useCancel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: cancelGeneration,
    networkMode: 'online',
    onSuccess: ({ notice, ...cancelled }) => {
      cacheGeneration(client, cancelled);
      if (notice) toast.info(notice);
    },
    onError: async (error, { id }) => {
      await refreshGeneration(client, id).catch(() => {});
      // Not a failure: the first preview came before the click, so the button now says what stopping costs.
      const previewShown = error instanceof ApiError && error.code === 'PREVIEW_SHOWN';
      if (previewShown) toast.info(messageOf(error));
      else toastError(messageOf(error));
    },
  });
}
