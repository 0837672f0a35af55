import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';

/** What a backup has. It is written last: a folder without it is an incomplete backup. */
export const manifestSchema = z.object({
  format: z.literal(1),
  /** The version of Packshot that made it, and when. */
  version: z.string(),
  at: z.iso.datetime(),
  collections: z.array(
    z.object({ name: z.string(), documents: z.number(), bytes: z.number(), sha256: z.string() }),
  ),
  /** Null if the storage was left out. */
  storage: z.object({ files: z.number(), bytes: z.number() }).nullable(),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** The parts of the folder of a backup. */
export const partsOf = (folder: string) => ({
  manifest: join(folder, 'backup.json'),
  database: join(folder, 'database'),
  documents: (collection: string) => join(folder, 'database', `${collection}.bson`),
  metadata: (collection: string) => join(folder, 'database', `${collection}.metadata.json`),
  storage: join(folder, 'storage'),
});

/** Passes on what a stream has, and counts it. */
export async function* counted(
  stream: AsyncIterable<Uint8Array>,
  record: (counts: { items: number; bytes: number; sha256: string }) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let [items, bytes] = [0, 0];
  for await (const chunk of stream) {
    hash.update(chunk);
    items += 1;
    bytes += chunk.length;
    yield chunk;
  }
  record({ items, bytes, sha256: hash.digest('hex') });
}
