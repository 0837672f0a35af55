/** The files of this checkout, for tests of the code itself. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** Whether the checkout has a file or folder. @param path relative to the checkout */
export const isInCheckout = (path: string) => existsSync(join(rootFolder, path));

export const readInCheckout = (file: string) => readFileSync(join(rootFolder, file), 'utf8');

/** The files that git tracks and that are there, in some folders or in all; relative to the checkout. */
export const trackedFiles = (...folders: string[]) =>
  execFileSync('git', ['ls-files', ...folders], { cwd: rootFolder, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && isInCheckout(file));

const { imports: names } = JSON.parse(readInCheckout('package.json')) as {
  imports: Record<string, string>;
};

/** The file that a specifier of an import in a file names, relative to the checkout; undefined for a package. */
export function resolveImport(specifier: string, file: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(file), specifier);
  if (names[specifier] !== undefined) return join(names[specifier]);
  const name = Object.keys(names).find(
    (each) => each.endsWith('*') && specifier.startsWith(each.slice(0, -1)),
  );
  return name && join(names[name]!.slice(0, -1), specifier.slice(name.length - 1));
}
