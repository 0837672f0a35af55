import { readBytes } from '#web/lib/copy-file.ts';

/**
 * The SHA-256 of files, as lower-case hex, in their order. One file at a time is in memory.
 * @param onProgress called with the number of files that are done
 * @throws ApiError if one cannot be read
 */
export async function hashPhotos(
  files: readonly File[],
  onProgress: (done: number) => void,
): Promise<string[]> {
  const hashes: string[] = [];
  for (const file of files) {
    hashes.push(toHex(await crypto.subtle.digest('SHA-256', await readBytes(file))));
    onProgress(hashes.length);
  }
  return hashes;
}

function toHex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
