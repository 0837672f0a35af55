/** `npm run campaign -- NAME OPTION…`: runs the campaign of the folder with that name (docs/commands.md). */
import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import sharp from 'sharp';
import { readCommandLine, refuse } from '#scripts/command-line.ts';
// It blocks drawings, which campaigns make pictures of, and must come first.
import '#shared/platform/sharp.ts';

sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

const names = globSync('*/main.ts', { cwd: import.meta.dirname }).map((file) => basename(dirname(file)));
const known = names.toSorted().join(', ');
if (!names.includes(process.argv[2] ?? '')) {
  readCommandLine('campaign', {
    about: `Runs a campaign: ${known}. Each prints its options with NAME --help.`,
    words: 'NAME [OPTION…]',
  });
  refuse('campaign', `the first word must be one of ${known}`);
}
const [name] = process.argv.splice(2, 1);
await import(`./${name}/main.ts`);
