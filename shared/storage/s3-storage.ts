import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { partsOf } from './byte-parts.ts';
import { exactLength } from './exact-length.ts';
import { oncePer } from './once-per.ts';
import type { S3Access } from './s3-access.ts';
import { isMissingObject, s3ErrorOf } from './s3-error.ts';
import { withStallLimit } from './stall-limit.ts';
import {
  type ByteRange,
  belongsToAttempt,
  isOfPhoto,
  keyFolders,
  keyPrefixes,
  keyRoots,
  mediaTypeOf,
  type PresignedAddresses,
  type Storage,
  type StoredFile,
} from './storage.ts';
import { onDisk, StorageError, storageErrorOf } from './storage-error.ts';
import type { StorageMarker } from './storage-marker.ts';
import { openWorkFolder } from './work-folder.ts';

/** The object that a test writes, again and again. */
const probeKey = 'incoming/probe';
const checkEveryMs = 1_000;
/** One block: a smaller file may fit where no other file would. */
const probeBytes = 4_096;

/** A file that was not written for so long belongs to no request, in ms. */
const staleMs = 1_800_000;

/**
 * Opens a bucket. S3 stores an object completely or not at all, so nothing unfinished is ever in it; uploads are written
 * to a folder of this machine first.
 * @param marker checked, at most once a second, before an object is reported as missing or is removed
 */
export function openS3Storage(
  access: S3Access,
  presigned: PresignedAddresses,
  marker?: StorageMarker,
  workFolder = openWorkFolder(),
): Storage {
  const { client, bucket, limits, address, nameOf, keyOf, request } = access;
  // What processes that died have left. Nobody waits for it, and upkeep does the same on machines with a worker.
  void workFolder.sweep(new Date(Date.now() - staleMs)).catch(() => {});
  const checkMarker = oncePer(checkEveryMs, async () => marker?.check());

  /** The reply to a request that is about one object; undefined if it does not exist. */
  async function orUndefined<Reply>(
    key: string,
    send: (signal: AbortSignal) => Promise<Reply>,
  ): Promise<Reply | undefined> {
    const reply = await request(key, async (signal) => {
      try {
        return { value: await send(signal) };
      } catch (error) {
        if (isMissingObject(error)) return undefined;
        throw error;
      }
    });
    if (!reply) await checkMarker();
    return reply?.value;
  }

  async function put(key: string, open: () => Readable, bytes: number): Promise<void> {
    await request(key, async (abortSignal, progress) => {
      // The client pipes its source, and would wait for more of one that failed.
      const broken = new AbortController();
      const source = open().on('data', progress);
      const body = exactLength(bytes, () => wrongLength(key, bytes));
      const piped = pipeline(source, body).catch((error: Error) => {
        broken.abort();
        return storageErrorOf(error, address(key)) ?? error;
      });
      try {
        await client.send(
          new PutObjectCommand({
            Bucket: bucket,
            Key: nameOf(key),
            Body: body,
            ContentLength: bytes,
            ContentType: mediaTypeOf(key),
          }),
          { abortSignal: AbortSignal.any([abortSignal, broken.signal]) },
        );
      } catch (error) {
        throw broken.signal.aborted ? await piped : error;
      } finally {
        body.destroy();
        source.destroy();
      }
    });
  }

  const wrongLength = (key: string, bytes: number) =>
    new StorageError('INCOMPLETE', address(key), `${address(key)}: there were not ${bytes} bytes to store`);

  const head = (key: string) =>
    orUndefined(key, (abortSignal) =>
      client.send(new HeadObjectCommand({ Bucket: bucket, Key: nameOf(key) }), { abortSignal }),
    );

  async function open(key: string, range?: ByteRange) {
    const reply = await orUndefined(key, (abortSignal) =>
      client.send(
        new GetObjectCommand({
          Bucket: bucket,
          Key: nameOf(key),
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        }),
        { abortSignal },
      ),
    );
    if (!reply) return undefined;
    const stream = withStallLimit(reply.Body as Readable, limits.replyMs, (error) =>
      s3ErrorOf(error ?? new DOMException('it stopped sending', 'TimeoutError'), address(key)),
    );
    const total = /\/(\d+)$/.exec(reply.ContentRange ?? '')?.[1];
    return { stream, bytes: Number(total ?? reply.ContentLength) };
  }

  /** Reads an object completely, and once more if that breaks off. */
  async function read<Value>(
    key: string,
    use: (stream: Readable) => Promise<Value>,
  ): Promise<Value | undefined> {
    for (let isFirst = true; ; isFirst = false) {
      const file = await open(key);
      if (!file) return undefined;
      try {
        return await use(file.stream);
      } catch (error) {
        file.stream.destroy();
        if (!isFirst || !(error instanceof StorageError)) throw error;
      }
    }
  }

  async function* listNames(prefix: string): AsyncGenerator<StoredFile> {
    let token: string | undefined;
    do {
      const page = await request(prefix, (abortSignal) =>
        client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: nameOf(prefix), ContinuationToken: token }),
          { abortSignal },
        ),
      );
      for (const { Key: name, Size: bytes = 0 } of page.Contents ?? []) {
        if (name !== undefined) yield { key: keyOf(name), bytes };
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  /** Removes the objects whose keys begin with a prefix. @param matches only those; all unless given */
  async function removeAll(prefix: string, matches = (_key: string) => true): Promise<void> {
    await checkMarker();
    const keys: string[] = [];
    for await (const { key } of listNames(prefix)) if (matches(key)) keys.push(key);
    for (let first = 0; first < keys.length; first += mostRemovedAtOnce) {
      const Objects = keys.slice(first, first + mostRemovedAtOnce).map((key) => ({ Key: nameOf(key) }));
      const reply = await request(prefix, (abortSignal) =>
        client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }), {
          abortSignal,
        }),
      );
      // A try whose answer was lost, or another process, may have removed some.
      const failed = reply.Errors?.find(({ Code }) => Code !== 'NoSuchKey');
      if (failed) {
        const { Key: name = '', Code = 'UNKNOWN', Message } = failed;
        const where = address(keyOf(name));
        throw new StorageError(Code, where, `${where}: it cannot be removed: ${Message}`);
      }
    }
  }

  const probe = oncePer(checkEveryMs, async () => {
    await checkMarker();
    // Uploads are written here first: a full disk of this machine is a storage that fails as well.
    await workFolder.make();
    const unfinished = workFolder.newPath();
    await onDisk(unfinished, () => writeFile(unfinished, Buffer.alloc(probeBytes))).finally(() =>
      rm(unfinished, { force: true }).catch(() => {}),
    );
    await put(probeKey, () => partsOf(new Uint8Array(1)), 1);
  });

  return {
    name: address('').replace(/\/$/, ''),
    presigned,
    put: (key, bytes) => put(key, () => partsOf(bytes), bytes.byteLength),
    putStream: put,
    async putFile(key, path) {
      const { size } = await onDisk(path, () => stat(path));
      await onDisk(path, () => put(key, () => createReadStream(path), size));
      // It is stored: a file that stays here is swept.
      await rm(path, { force: true }).catch(() => {});
    },
    get: (key) => read(key, buffer),
    has: async (key) => (await head(key)) !== undefined,
    async withFile(key, step) {
      await workFolder.make();
      const path = workFolder.newPath();
      try {
        const found = await read(key, async (stream) => {
          await onDisk(path, () => pipeline(stream, createWriteStream(path)));
          return true;
        });
        return found ? await step(path) : undefined;
      } finally {
        await rm(path, { force: true }).catch(() => {});
      }
    },
    sizeOf: async (key) => (await head(key))?.ContentLength,
    open,
    async *list() {
      for (const root of keyRoots) yield* listNames(`${root}/`);
    },
    removeAttempts: (generationId, keptImage) =>
      removeAll(`${keyFolders.generation(generationId)}/`, (key) => belongsToAttempt(key, keptImage)),
    removeEdited: (generationId) => removeAll(`${keyFolders.generation(generationId)}/${keyPrefixes.edited}`),
    removeGeneration: (generationId) => removeAll(`${keyFolders.generation(generationId)}/`),
    removePhotoSet: (photoSetId, kept = new Set()) =>
      removeAll(`${keyFolders.photoSet(photoSetId)}/`, (key) => !isOfPhoto(key, kept)),
    removeLook: (lookId) => removeAll(`${keyFolders.look(lookId)}/`),
    removeRelease: (releaseId) => removeAll(`${keyFolders.release(releaseId)}/`),
    // A bucket does not say how much it takes.
    checkRoom: () => probe(),
    newWorkPath: () => workFolder.newPath(),
    sweepWork: (before) => workFolder.sweep(before),
  };
}

/** How many objects S3 removes with one request. */
const mostRemovedAtOnce = 1_000;
