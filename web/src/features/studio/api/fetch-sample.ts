import { networkError } from '#web/lib/api.ts';
import type { SampleProduct } from '#web/pictures/products.ts';

/** Fetches the photo of a sample product as a file. @throws ApiError */
export async function fetchSample({ file, fileName }: SampleProduct): Promise<File> {
  try {
    const reply = await fetch(file);
    if (!reply.ok) throw networkError();
    return new File([await reply.blob()], fileName, { type: 'image/jpeg', lastModified: 0 });
  } catch {
    throw networkError();
  }
}
