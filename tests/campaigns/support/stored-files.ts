/** Reads the storage of a stack without the product's storage: what is really there, and unfinished files as well. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { BucketLocation } from '#shared/platform/storage-url.ts';
import { openS3Access } from '#shared/storage/s3-access.ts';
import { isMissingObject } from '#shared/storage/s3-error.ts';

export interface StoredFiles {
  /** The names in a folder, of files or of folders; empty if there is none. */
  namesIn(folder: string): Promise<string[]>;
  /** @returns undefined if the key does not exist */
  read(key: string): Promise<Uint8Array | undefined>;
  /** The names of unfinished files: uploads, and what is being stored. */
  unfinished(): Promise<string[]>;
}

const namesIn = (folder: string) => readdir(folder).catch(() => []);

/** The files of a storage folder. */
export function filesInFolder(storageFolder: string): StoredFiles {
  return {
    namesIn: (folder) => namesIn(join(storageFolder, folder)),
    read: (key) => readFile(join(storageFolder, key)).catch(() => undefined),
    unfinished: () => namesIn(join(storageFolder, 'incoming')),
  };
}

/**
 * The objects of a bucket.
 * @param temporaryFolder where the programs that use it keep unfinished files (shared/storage/work-folder.ts)
 */
export function filesInBucket(location: BucketLocation, temporaryFolder: string): StoredFiles {
  const { client, bucket: Bucket, nameOf, request } = openS3Access(location);
  return {
    async namesIn(folder) {
      const prefix = nameOf(`${folder}/`);
      const names: string[] = [];
      let token: string | undefined;
      do {
        const page = await request(folder, (abortSignal) =>
          client.send(
            new ListObjectsV2Command({ Bucket, Prefix: prefix, Delimiter: '/', ContinuationToken: token }),
            { abortSignal },
          ),
        );
        for (const { Prefix = '' } of page.CommonPrefixes ?? []) names.push(Prefix.slice(prefix.length, -1));
        for (const { Key = '' } of page.Contents ?? []) names.push(Key.slice(prefix.length));
        token = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (token !== undefined);
      return names;
    },
    read: (key) =>
      request(key, async (abortSignal) => {
        try {
          const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: nameOf(key) }), {
            abortSignal,
          });
          return await Body?.transformToByteArray();
        } catch (error) {
          if (isMissingObject(error)) return undefined;
          throw error;
        }
      }),
    async unfinished() {
      const folders = (await namesIn(temporaryFolder)).filter((name) => name.startsWith('packshot-work-'));
      return (await Promise.all(folders.map((name) => namesIn(join(temporaryFolder, name))))).flat();
    },
  };
}
