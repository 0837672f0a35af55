import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from './root-folder.ts';

/** The version of Packshot that runs. */
export const version = (
  JSON.parse(readFileSync(join(rootFolder, 'package.json'), 'utf8')) as { version: string }
).version;

/** The version with the commit, where the code is a clone: `1.0.0 (f00ba4b)`. */
export const release = [version, commitOf(join(rootFolder, '.git'))].filter(Boolean).join(' ');

/** @returns undefined where there is no repository, or it is a work tree of another one */
function commitOf(folder: string): string | undefined {
  const head = readIfThere(join(folder, 'HEAD'));
  const reference = /^ref: (.+)$/m.exec(head ?? '')?.[1];
  const packed = () =>
    readIfThere(join(folder, 'packed-refs'))
      ?.split('\n')
      .find((line) => line.endsWith(` ${reference}`));
  const commit = reference === undefined ? head : (readIfThere(join(folder, reference)) ?? packed());
  return /^[0-9a-f]{7}/.test(commit ?? '') ? `(${commit!.slice(0, 7)})` : undefined;
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
