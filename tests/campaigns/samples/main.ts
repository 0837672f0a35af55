/** `npm run campaign -- samples`: makes the pictures of the site, or compares the sample photos in eight scenes. */
import { oneOf, readCommandLine } from '#scripts/command-line.ts';
import { takeScreenshots } from './screenshots/take-screenshots.ts';
import { makeSheet } from './sheet.ts';
import { writeSite } from './site/write-site.ts';

const { values, words } = readCommandLine('samples', {
  typed: 'npm run campaign -- samples',
  about:
    'Makes the pictures of the site, the screenshots of the guides, or a sheet of the sample photos in eight scenes.',
  words: '[screenshots|sheet]',
  options: {
    only: {
      takes: 'TEXT',
      default: '',
      about: 'makes only the pictures of the site whose path, such as landing/soap-pastel, contains it',
    },
  },
});
const [word] = words;
if (word === undefined) await writeSite(values.only, console.log);
else if (oneOf('samples', 'the word', ['screenshots', 'sheet'], word) === 'sheet') await makeSheet();
else await takeScreenshots(console.log);
