/** A photo cannot be read any more, for example because it was moved; in words for the seller. */
export class UnreadablePhoto extends Error {
  override name = 'UnreadablePhoto';
}

/**
 * The SHA-256 of files, as lower-case hex, in their order. One file at a time is in memory.
 * @param onProgress called with the number of files that are done
 * @throws UnreadablePhoto
 */
export async function hashPhotos(
  files: readonly File[],
  onProgress: (done: number) => void,
): Promise<string[]> {
  const hashes: string[] = [];
  for (const file of files) {
    hashes.push(toHex(await crypto.subtle.digest('SHA-256', await read(file))));
    onProgress(hashes.length);
  }
  return hashes;
}

async function read(file: File): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch {
    throw new UnreadablePhoto(`We couldn't read ${file.name}. Drop it again.`);
  }
}

function toHex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
