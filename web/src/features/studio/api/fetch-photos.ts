import type { GenerationView } from '#contract';
import { networkError } from '#web/lib/api.ts';

/** Fetches the photos of a generation as files, to submit them again. @throws ApiError */
export function fetchPhotos(view: GenerationView): Promise<File[]> {
  return Promise.all(
    view.photos.map(async ({ url }, index) => {
      try {
        const reply = await fetch(url);
        if (!reply.ok) throw networkError();
        const photo = await reply.blob();
        return new File([photo], `photo-${index + 1}.png`, { type: photo.type });
      } catch {
        throw networkError();
      }
    }),
  );
}
