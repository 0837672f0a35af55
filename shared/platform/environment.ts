import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from './root-folder.ts';

/**
 * The environment of this process, with the variables of `.env` added where they are not set already.
 *
 * This is the only function that touches `process.env` (`npm run check` enforces it). Product code does not call it:
 * config.ts turns it into checked settings. Its other callers are scripts and tests that need a variable which is not a
 * setting of the product: what npm passes on, the environment of a child process, the stores that tests use.
 * @returns the live object: a variable that is set in it counts for this process
 */
export function readEnvironment(): NodeJS.ProcessEnv {
  const file = join(rootFolder, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  return process.env;
}
