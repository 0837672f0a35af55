/** Most bytes that are read of a reply that has no image: an error, or a list of models. */
export const shortBytesMost = 2 ** 18;

/** Reads the body of a reply that has no image. @returns null if it is longer than {@link shortBytesMost} */
export async function readShort({ body }: Response): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the connection.
  for await (const part of (body as AsyncIterable<Uint8Array> | null) ?? []) {
    bytes += part.byteLength;
    if (bytes > shortBytesMost) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
