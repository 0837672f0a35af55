/** Decoders as tests of them need them: their files, a photo that takes seconds, and a decoder in the middle of it. */
import { execFile } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { createDecoder, type Decoder, type DecoderOptions } from '#server/decoder/decoder.ts';
import { createLog } from '#shared/platform/log.ts';
import { interlacedPng } from './large-photos.ts';
import { memoryOf } from './memory.ts';
import { samplePhoto } from './photos.ts';
import { temporaryFolder, testWithStack } from './test.ts';

export const megabyte = 1024 * 1024;

/** Whether the memory and the children of a process can be read: only on Linux. */
export const measurable = process.platform === 'linux';

/** `test` with a stack and a folder for photos. */
export const testWithFolder = testWithStack({ workers: 0 }).extend(
  'folder',
  { scope: 'file' },
  ({ stack }, { onCleanup }) => temporaryFolder(stack, onCleanup),
);

/** The largest photo of 16 bits per channel that is accepted: decoding it takes seconds and 280 MB. */
export const largePhoto = () => interlacedPng(5_792, 4_344);

/** The seller of every job. */
export const client = { sellerId: 'seller' };

/** Writes a photo into a folder. @returns its path */
export async function writePhoto(folder: string, bytes: Buffer): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.photo`);
  await writeFile(path, bytes);
  return path;
}

/** A decoder that closes with the test. */
export function openDecoder(options?: DecoderOptions): Decoder {
  const decoder = createDecoder(createLog({ logLevel: 'silent' }, 'test'), options);
  onTestFinished(() => decoder.close());
  return decoder;
}

/** Makes a photo at which a decoder process hangs without using the processor: nobody writes into the pipe. @returns its path */
export async function endlessPhoto(folder: string): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.photo`);
  await promisify(execFile)('mkfifo', [path]);
  return path;
}

/**
 * Starts decoding a photo and waits until it has a process.
 * @param usedBytes memory that the process has at least used for it
 * @returns the id of that process; `outcome` resolves with the photo or with the error
 */
export async function startDecoding(decoder: Decoder, path: string, usedBytes = 0) {
  const outcome = decoder.normalise(client, path, `${path}.png`).then(
    (photo) => photo,
    (error: unknown) => error,
  );
  const pid = await decodingProcess(decoder);
  if (usedBytes > 0) await untilUsed(pid, usedBytes);
  return { outcome, pid };
}

/** The id of the process that decodes now, other than a given one. */
export async function decodingProcess(decoder: Decoder, otherThan?: number): Promise<number> {
  const others = () => decoder.pids().filter((pid) => pid !== otherThan);
  await expect.poll(others, { interval: 5 }).toHaveLength(1);
  return others()[0]!;
}

/** Waits until a process has used so much memory: it is in the middle of a large photo. */
export async function untilUsed(pid: number, bytes: number): Promise<void> {
  await expect.poll(async () => (await memoryOf(pid)).now, { interval: 5 }).toBeGreaterThan(bytes);
}

/**
 * Replaces a photo that is being decoded by the sample photo. The process that is decoding it has opened the other file;
 * the next one decodes the sample photo in no time, and by its size a test can tell that it was the next one.
 */
export async function replaceWithSample(path: string): Promise<void> {
  await writeFile(`${path}.sample`, await samplePhoto());
  await rename(`${path}.sample`, path);
}
