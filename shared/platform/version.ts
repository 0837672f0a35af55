import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from './root-folder.ts';

/** The version of Packshot that runs. */
export const version = (
  JSON.parse(readFileSync(join(rootFolder, 'package.json'), 'utf8')) as { version: string }
).version;
