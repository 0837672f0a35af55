/** `npm run campaign -- samples`: makes the pictures of the site, or compares photos in several scenes. */
import { oneOf, readCommandLine } from '#scripts/command-line.ts';
import { takeScreenshots } from './screenshots/take-screenshots.ts';
import { makeSheet } from './sheet.ts';
import { writeSite } from './site/write-site.ts';

const { values, words } = readCommandLine('samples', {
  typed: 'npm run campaign -- samples',
  about:
    'Makes the pictures of the site, the screenshots of the guides and the landing page, or sheets of photos in several scenes: the sample photos ' +
    'in eight, the photos of a folder in the four templates.',
  words: '[screenshots|sheet]',
  options: {
    only: {
      takes: 'TEXT',
      default: '',
      about: 'makes only the pictures of the site, or of the photos, whose path contains it',
    },
    photos: { takes: 'FOLDER', about: 'sheet: the photos of this folder, such as ../shared/products/real' },
    half: {
      takes: ['all', 'development', 'report'],
      default: 'all',
      about: 'sheet: of the photos, by product',
    },
    seed: { takes: 'SEED', default: 39, about: 'sheet: of the halves, and of the first picture' },
    rows: { takes: 'COUNT', default: 100, about: 'sheet: photos on a page' },
    out: { takes: 'FOLDER', default: 'samples', about: 'sheet: where the pages are written' },
  },
});
const [word] = words;
if (word === undefined) await writeSite(values.only, console.log);
else if (oneOf('samples', 'the word', ['screenshots', 'sheet'], word) === 'sheet') await makeSheet(values);
else await takeScreenshots(values.only, console.log);
