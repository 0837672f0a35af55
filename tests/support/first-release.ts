/**
 * A database as the first release left it: two sellers, what they generated, and a generation that still waits. Written
 * by that release itself, except the one that waits.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import mongoose from 'mongoose';
import type { Config } from '#shared/platform/config.ts';
import { createStorage } from '#shared/platform/storage.ts';
import { samplePhoto } from './photos.ts';

interface StoredCollection {
  indexes: mongoose.mongo.IndexDescription[];
  documents: { _id: never; image?: { key: string } | null; photos?: { key: string }[] }[];
}

/** Its sellers; both have the same password. */
export const firstRelease = {
  freelancer: 'first@shop.example',
  studio: 'second@shop.example',
  password: 'Correct-Horse-7',
  queued: '6b02d81d02648ec0deabc080',
} as const;

/** Fills an empty database and its storage folder. */
export async function writeFirstRelease({ mongodbUrl, storageFolder }: Config): Promise<void> {
  const text = await readFile(join(import.meta.dirname, 'first-release.json'), 'utf8');
  const collections: Record<string, StoredCollection> = mongoose.mongo.BSON.EJSON.parse(text);
  const storage = createStorage({ storageFolder });
  const connection = await mongoose.createConnection(mongodbUrl).asPromise();
  for (const [name, { indexes, documents }] of Object.entries(collections)) {
    const collection = connection.db!.collection(name);
    if (indexes.length > 0) await collection.createIndexes(indexes);
    if (documents.length > 0) await collection.insertMany(documents);
    for (const { image, photos = [] } of documents) {
      for (const { key } of image ? [...photos, image] : photos) await storage.put(key, await samplePhoto());
    }
  }
  await connection.close();
}
