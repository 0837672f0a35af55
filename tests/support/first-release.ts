/**
 * A database of the first release: two sellers with their generations, one of them still queued. That release wrote it,
 * except for the queued generation.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import mongoose from 'mongoose';
import type { Config } from '#shared/platform/config.ts';
import { openStorage } from '#shared/platform/open-storage.ts';
import { samplePhoto } from './photos.ts';

interface StoredCollection {
  indexes: mongoose.mongo.IndexDescription[];
  documents: { _id: never; image?: { key: string; bytes: number } | null; photos?: { key: string }[] }[];
}

/** Email addresses of its sellers, the password of both, and the id of the queued generation. */
export const firstRelease = {
  freelancer: 'first@shop.example',
  studio: 'second@shop.example',
  password: 'Correct-Horse-7',
  queued: '6b02d81d02648ec0deabc080',
} as const;

/** Writes it into an empty database and storage folder. */
export async function writeFirstRelease({
  mongodbUrl,
  storage: location,
}: Pick<Config, 'mongodbUrl' | 'storage'>): Promise<void> {
  const text = await readFile(join(import.meta.dirname, 'first-release.json'), 'utf8');
  const collections: Record<string, StoredCollection> = mongoose.mongo.BSON.EJSON.parse(text);
  const storage = await openStorage(location);
  const connection = await mongoose.createConnection(mongodbUrl).asPromise();
  for (const [name, { indexes, documents }] of Object.entries(collections)) {
    const collection = connection.db!.collection(name);
    if (indexes.length > 0) await collection.createIndexes(indexes);
    if (documents.length > 0) await collection.insertMany(documents);
    for (const { image, photos = [] } of documents) {
      for (const { key } of photos) await storage.put(key, await samplePhoto());
      if (image) await storage.put(image.key, padded(await samplePhoto(), image.bytes));
    }
  }
  await connection.close();
}

/** A picture with bytes after its end, which nothing reads, so that it has the length that its row says. */
function padded(picture: Buffer, bytes: number): Buffer {
  return Buffer.concat([picture, Buffer.alloc(bytes - picture.length)]);
}
