/** Decoders as tests of them need them: their files, a photo that takes seconds, and a decoder in the middle of it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { interlacedPng } from '#scripts/attack/large-photos.ts';
import { createDecoder, type Decoder, type DecoderOptions } from '#server/generations/decoder/decoder.ts';
import { createLog } from '#shared/platform/log.ts';
import { limitMs } from './machine.ts';
import { memoryOf } from './memory.ts';
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

/**
 * Starts decoding a photo and waits until its process has used 150 MB for it.
 * @returns the id of that process; `outcome` resolves with the photo or with the error
 */
export async function startDecoding(decoder: Decoder, path: string) {
  const outcome = decoder.normalise(path, `${path}.png`).then(
    (photo) => photo,
    (error: unknown) => error,
  );
  return { outcome, pid: await decodingProcess(decoder) };
}

/** The id of the process that decodes now, other than a given one. */
export async function decodingProcess(decoder: Decoder, otherThan?: number): Promise<number> {
  return vi.waitFor(
    async () => {
      const pid = decoder.pids().find((each) => each !== otherThan);
      if (pid === undefined || (await memoryOf(pid)).now < 150 * megabyte) throw new Error('not yet');
      return pid;
    },
    { timeout: limitMs(30_000), interval: 5 },
  );
}
