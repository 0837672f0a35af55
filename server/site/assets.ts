import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where an asset is in the assets of its release: its first byte, and its length in bytes. */
export type Part = [start: number, bytes: number];

/** The files of one build of the web app that have a hash of their content in their name: scripts, styles and pictures. */
export interface BuiltAssets {
  /** The release: the same for all servers with this build, another one when any file differs. */
  releaseId: string;
  /** All files, one after the other, and where each of them is in there. */
  pack(): Promise<{ content: Buffer; parts: Record<string, Part> }>;
}

/** @param folder the build's `assets` */
export async function readBuiltAssets(folder: string): Promise<BuiltAssets> {
  const names = (await readdir(folder)).sort();
  return {
    releaseId: createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16),
    async pack() {
      const contents = await Promise.all(names.map((name) => readFile(join(folder, name))));
      const parts: Record<string, Part> = {};
      let start = 0;
      for (const [index, { length: bytes }] of contents.entries()) {
        parts[names[index]!] = [start, bytes];
        start += bytes;
      }
      return { content: Buffer.concat(contents), parts };
    },
  };
}
