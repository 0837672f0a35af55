/** The files of this checkout, for tests of the code itself. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** Whether the checkout has a file or folder. @param path relative to the checkout */
export const isInCheckout = (path: string) => existsSync(join(rootFolder, path));

export const readInCheckout = (file: string) => readFileSync(join(rootFolder, file), 'utf8');

/** The files that git tracks and that are there, in some folders or in all; relative to the checkout. */
export const trackedFiles = (...folders: string[]) =>
  execFileSync('git', ['ls-files', ...folders], { cwd: rootFolder, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && isInCheckout(file));
