import { type GenerationSet, generationSetSchema, type PhotoSubject, paths } from '#contract';
import type { StudioOptions } from '#web/lib/studio-options.ts';
import { upload } from '#web/lib/upload.ts';

export interface Submission {
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
