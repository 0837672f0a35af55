import { ApiError } from './api.ts';

/**
 * Reads a file into memory. The copy stays as it is: phones change photos after they were chosen, and browsers then refuse to
 * send them.
 * @throws ApiError FILE_UNREADABLE whose message names it: it was moved, changed or deleted since it was chosen
 */
export async function copyFile(file: File): Promise<File> {
  const { name, type, lastModified, size } = file;
  const bytes = await file.arrayBuffer().catch(() => null);
  if (bytes === null || bytes.byteLength !== size) {
    throw new ApiError('FILE_UNREADABLE', `We couldn't read “${name}”. Please choose it again.`);
  }
  return new File([bytes], name, { type, lastModified });
}
