import { isolateName } from '#contract';
import { ApiError } from './api.ts';

/**
 * Reads a file.
 * @throws ApiError FILE_UNREADABLE whose message names it: it was moved, changed or deleted since it was chosen
 */
export async function readBytes(file: File): Promise<ArrayBuffer> {
  const bytes = await file.arrayBuffer().catch(() => null);
  if (bytes?.byteLength === file.size) return bytes;
  throw new ApiError(
    'FILE_UNREADABLE',
    `We couldn't read “${isolateName(file.name)}”. Please choose it again.`,
  );
}

/**
 * Reads a file into memory. The copy stays as it is: phones change photos after they were chosen, and browsers then refuse to
 * send them.
 * @throws ApiError as `readBytes` does
 */
export async function copyFile(file: File): Promise<File> {
  const { name, type, lastModified } = file;
  return new File([await readBytes(file)], name, { type, lastModified });
}
