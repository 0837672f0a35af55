import type { GenerationView } from '#contract';
import { networkError } from '#web/lib/api.ts';

/** Fetches the photos of a generation as files, to submit them again. @throws ApiError */
export function fetchPhotos(view: GenerationView): Promise<File[]> {
  return Promise.all(view.photos.map(({ url }, index) => fetchFile(url, `photo-${index + 1}`)));
}

/** Fetches a photo or an image as a file. @param name of the file, without its ending @throws ApiError */
export async function fetchFile(url: string, name: string): Promise<File> {
  try {
    const reply = await fetch(url);
    if (!reply.ok) throw networkError();
    const content = await reply.blob();
    return new File([content], `${name}.${content.type.slice('image/'.length)}`, { type: content.type });
  } catch {
    throw networkError();
  }
}
