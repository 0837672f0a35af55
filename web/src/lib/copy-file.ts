/** A file cannot be read any more: it was moved, changed or deleted since it was chosen. Its message is for the seller. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/**
 * Reads a file into memory. The copy stays as it is: phones change photos after they were chosen, and browsers then refuse to
 * send them.
 * @throws UnreadableFile whose message names it
 */
export async function copyFile(file: File): Promise<File> {
  const { name, type, lastModified, size } = file;
  const bytes = await file.arrayBuffer().catch(() => null);
  if (bytes === null || bytes.byteLength !== size) {
    throw new UnreadableFile(`We couldn't read “${name}”. Please choose it again.`);
  }
  return new File([bytes], name, { type, lastModified });
}
