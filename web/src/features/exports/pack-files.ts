import { Zip, ZipPassThrough } from 'fflate';

/** A ZIP of files that are compressed already. @param files each is read when its turn comes */
export async function packFiles(files: Iterable<{ name: string; at: string; file: Blob }>): Promise<Blob> {
  // A browser may keep a large Blob on the disk, unlike bytes.
  const parts: Blob[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(new Blob([part as Uint8Array<ArrayBuffer>]));
  });
  for (const { name, at, file } of files) {
    const entry = new ZipPassThrough(name);
    entry.mtime = at;
    zip.add(entry);
    entry.push(new Uint8Array(await file.arrayBuffer()), true);
  }
  zip.end();
  return new Blob(parts, { type: 'application/zip' });
}
