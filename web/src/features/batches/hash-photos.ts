import { readBytes } from '#web/lib/copy-file.ts';
import { loadPart } from '#web/lib/full-load.ts';
import { toHex } from '#web/lib/hex.ts';

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
    hashes.push(toHex(await sha256(await readBytes(file))));
    onProgress(hashes.length);
  }
  return hashes;
}

async function sha256(bytes: ArrayBuffer): Promise<Uint8Array> {
  // Without https the browser has no function for it.
  if (!isSecureContext) {
    const sha2 = await loadPart(() => import('@noble/hashes/sha2.js'));
    return sha2.sha256(new Uint8Array(bytes));
  }
  // biome-ignore lint/style/noRestrictedGlobals: it is there, because the context is secure
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}
