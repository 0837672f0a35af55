import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import pLimit from 'p-limit';
import type { Storage, StoredFile } from '#shared/storage/storage.ts';
import { StorageError } from '#shared/storage/storage-error.ts';
import type { MarkerPlace } from '#shared/storage/storage-marker.ts';

/** A storage and where its marker is. */
export interface MarkedStorage {
  storage: Storage;
  marker: MarkerPlace;
}

/** What a copy did. */
export interface CopyReport {
  /** Files that were copied now, and those that were there before, with equal bytes. */
  copied: number;
  same: number;
  bytes: number;
  /** Files that could not be copied, one line each. */
  problems: string[];
  /** Keys that were deleted in the source meanwhile. */
  gone: string[];
  /** Keys that only the target has. */
  extra: string[];
}

/** Nothing can be copied. The message is one sentence for the operator. */
export class CopyRefused extends Error {
  override name = 'CopyRefused';
}

/** Files that are copied at the same time. */
const atOnce = 8;
/** With more problems the copy ends: the same is wrong with all files. */
const mostProblems = 100;

/**
 * Copies all files of a storage to another one. Files that the target has already are compared, so that a copy that was
 * stopped continues, and one that is complete is verified. Each file is read again from the target and compared by its
 * SHA-256. The marker is copied last, and only if there were no problems: no server accepts an incomplete copy.
 * @param inUse files may be deleted in the source meanwhile; otherwise that is a problem
 * @param say gets lines about files that were wrong in the target, and the progress
 * @throws CopyRefused, or StorageError when a storage cannot be listed
 */
export async function copyStorage(
  from: MarkedStorage,
  to: MarkedStorage,
  say: (line: string) => void,
  { inUse = false } = {},
): Promise<CopyReport> {
  const marker = await from.marker.read();
  const targetMarker = await to.marker.read();
  if (from.storage.name === to.storage.name) throw new CopyRefused('FROM and TO are the same storage.');
  if (marker === undefined) {
    throw new CopyRefused(
      `${from.storage.name} has no marker ${from.marker.marker}: it is no storage of Packshot.`,
    );
  }
  if (targetMarker !== undefined && targetMarker !== marker) {
    throw new CopyRefused(`${to.storage.name} belongs to another database: its marker is another one.`);
  }
  const files = await listed(from.storage);
  const left = new Map((await listed(to.storage)).map(({ key, bytes }) => [key, bytes]));
  const report: CopyReport = { copied: 0, same: 0, bytes: 0, problems: [], gone: [], extra: [] };
  const progress = progressOf(files, say);
  await pLimit(atOnce).map(files, async (file) => {
    const targetBytes = left.get(file.key);
    left.delete(file.key);
    if (report.problems.length >= mostProblems) return;
    try {
      if (targetBytes === file.bytes && (await isSame(from.storage, to.storage, file.key))) report.same += 1;
      else {
        if (targetBytes !== undefined) say(`${file.key}: it was different in TO; it is copied again`);
        else if (targetMarker !== undefined) say(`${file.key}: it was missing in TO; it is copied again`);
        await copyFile(from.storage, to.storage, file);
        report.copied += 1;
      }
      report.bytes += file.bytes;
    } catch (error) {
      if (!(error instanceof StorageError || error instanceof FileProblem)) throw error;
      if (inUse && error instanceof FileGone) report.gone.push(file.key);
      else report.problems.push(`${file.key}: ${error.message}`);
    }
    progress(file.bytes);
  });
  report.extra = [...left.keys()];
  if (report.problems.length === 0 && targetMarker === undefined) await to.marker.create(marker);
  return report;
}

async function listed(storage: Storage): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for await (const file of storage.list()) files.push(file);
  return files;
}

/** A file is not as it was when it was listed. */
class FileProblem extends Error {}

class FileGone extends FileProblem {
  constructor() {
    super('it is gone from FROM');
  }
}

async function isSame(from: Storage, to: Storage, key: string): Promise<boolean> {
  const [source, target] = await Promise.all([hashOf(from, key), hashOf(to, key)]);
  if (source === undefined) throw new FileGone();
  return source === target;
}

async function copyFile(from: Storage, to: Storage, { key, bytes }: StoredFile): Promise<void> {
  let read = '';
  // Called once for each try.
  const open = () => Readable.from(reading(), { objectMode: false });
  async function* reading() {
    const hash = createHash('sha256');
    const file = await from.open(key);
    if (!file) throw new FileGone();
    for await (const chunk of file.stream) {
      hash.update(chunk);
      yield chunk;
    }
    read = hash.digest('hex');
  }
  await to.putStream(key, open, bytes);
  if ((await hashOf(to, key)) !== read) throw new FileProblem('TO has other bytes than FROM');
}

/** @returns the SHA-256 of a file, or undefined if there is none */
async function hashOf(storage: Storage, key: string): Promise<string | undefined> {
  const file = await storage.open(key);
  if (!file) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of file.stream) hash.update(chunk);
  return hash.digest('hex');
}

/** Time between two lines about the progress, in ms. */
const sayEveryMs = 5_000;

/** @returns a function to call after each file */
function progressOf(files: readonly StoredFile[], say: (line: string) => void): (bytes: number) => void {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let [done, doneBytes, saidAt] = [0, 0, Date.now()];
  say(`${files.length} files, ${megabytes(total)} in FROM`);
  return (bytes) => {
    done += 1;
    doneBytes += bytes;
    if (Date.now() - saidAt < sayEveryMs) return;
    saidAt = Date.now();
    const percent = total === 0 ? 100 : Math.floor((doneBytes / total) * 100);
    say(`${done} of ${files.length} files, ${megabytes(doneBytes)} (${percent} %)`);
  };
}

/** Bytes in MB with one decimal. */
export const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
