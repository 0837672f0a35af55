/** What tests of decoders need: a folder for photos, and a photo that takes seconds. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { interlacedPng } from '#scripts/attack/large-photos.ts';
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
