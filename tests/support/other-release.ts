import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { runToEnd } from '#scripts/start/run.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

/**
 * Builds the web app with another text, in a copy of its sources: the next release.
 * @param folder empty; gets the copy
 * @returns the folder of the build
 */
export async function buildOtherRelease(folder: string): Promise<string> {
  for (const path of ['package.json', 'tsconfig.json', 'shared/contract', 'web']) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await cp(join(rootFolder, path), join(folder, path), {
      recursive: true,
      filter: (source) => source !== join(rootFolder, 'web', 'dist'),
    });
  }
  await symlink(join(rootFolder, 'node_modules'), join(folder, 'node_modules'));
  // Code that nearly every part imports, so that their names change, too.
  const file = join(folder, 'web', 'src', 'lib', 'api.ts');
  const text = await readFile(file, 'utf8');
  const changed = text.replace("We couldn't reach Packshot.", 'Packshot cannot be reached.');
  if (changed === text) throw new Error(`${file} has no text to change`);
  await writeFile(file, changed);
  const vite = join(rootFolder, 'node_modules', 'vite', 'bin', 'vite.js');
  await runToEnd(
    'web build',
    [vite, 'build', join(folder, 'web')],
    childEnvironment({ NODE_ENV: 'production' }),
    join(folder, 'logs'),
  );
  return join(folder, 'web', 'dist');
}
