/** `npm run campaign -- samples`: makes the pictures of the site, or compares the sample photos in eight scenes. */
import { readCommandLine, refuse } from '#scripts/command-line.ts';
import { takeScreenshots } from './screenshots/take-screenshots.ts';
import { makeSheet } from './sheet.ts';
import { writeSite } from './site/write-site.ts';

const { values, positionals } = readCommandLine('samples', {
  allowPositionals: true,
  /** Only the pictures of the site whose path, such as landing/soap-pastel, contains this. */
  options: { only: { type: 'string', default: '' } },
});
const [what] = positionals;
if (what === undefined) await writeSite(values.only, console.log);
else if (what === 'screenshots') await takeScreenshots(console.log);
else if (what === 'sheet') await makeSheet();
else refuse('samples', `there is no ${what}, only screenshots and sheet`);
