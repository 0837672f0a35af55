/** Python programs of campaigns: each package in a pinned version, in an environment of its own that is kept. */
import { execFile } from 'node:child_process';
import { access, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

const run = promisify(execFile);

/**
 * The folder of the programs of an environment with a package from PyPI, which is made the first time.
 * @param requirement such as `schemathesis==4.32.5`
 * @throws Error without Python 3 with `venv`, or when PyPI cannot be reached
 */
export async function pythonPrograms(requirement: string): Promise<string> {
  const folder = join(rootFolder, 'node_modules', '.cache', 'python', requirement);
  const programs = join(folder, 'bin');
  const isComplete = join(folder, 'complete');
  if (
    await access(isComplete).then(
      () => true,
      () => false,
    )
  )
    return programs;
  await rm(folder, { recursive: true, force: true });
  const env = childEnvironment({});
  await run('python3', ['-m', 'venv', folder], { env });
  await run(join(programs, 'pip'), ['install', '--quiet', requirement], { env });
  await mkdir(isComplete);
  return programs;
}
