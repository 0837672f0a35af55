/** `npm run campaign -- NAME OPTION…`: runs the campaign of the folder with that name (docs/commands.md). */
import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { refuse } from '#scripts/command-line.ts';

const names = globSync('*/main.ts', { cwd: import.meta.dirname }).map((file) => basename(dirname(file)));
const [name = ''] = process.argv.splice(2, 1);
if (!names.includes(name)) refuse('campaign', `the first word must be one of ${names.toSorted().join(', ')}`);
await import(`./${name}/main.ts`);
