import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type JobProcess, startJobProcess } from '#shared/platform/job-process.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import type { DecoderJobs } from './jobs.ts';

/** A process that decodes photos. */
export type DecoderProcess = JobProcess<DecoderJobs>;

/** What the programs of decoders and photo checks consist of. Not the whole checkout: a file with settings may be in it. */
export const programFolders: readonly string[] = [
  ...['package.json', 'node_modules', 'server', 'shared'].map((name) => join(rootFolder, name)),
  linkedPackages(),
];

/** Where packages are that several checkouts share by links: permission counts for the path that a link leads to. */
function linkedPackages(): string {
  const path = realpathSync(fileURLToPath(import.meta.resolve('sharp')));
  return path.slice(0, path.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules`.length);
}

/**
 * Starts a decoder process with a lower priority than the server. Besides its program it may read the temporary folder.
 * @param folder with photos and images that it may read as well
 */
export function startDecoderProcess(folder?: string): DecoderProcess {
  const readable = [...programFolders, tmpdir(), ...(folder === undefined ? [] : [folder])];
  return startJobProcess<DecoderJobs>(new URL('main.ts', import.meta.url), {
    readable,
    // A HEIC is decoded in one (heic.ts).
    threads: true,
  });
}
