/** `npm run campaign -- samples`: makes the pictures of the site, or compares many photos in many scenes. */
import { parseArgs } from 'node:util';
import { takeScreenshots } from './screenshots/take-screenshots.ts';
import { makeSheet, sheetUsage } from './sheet/make-sheet.ts';
import { writeSite } from './site/write-site.ts';

const usage = `Usage:
npm run campaign -- samples
  makes the pictures of the site with the local renderer, in web/src/pictures and web/public
  --only TEXT       only pictures whose path, such as landing/soap-pastel, contains this

npm run campaign -- samples screenshots
  takes the screenshots of the guides, in a Packshot that it starts and a Chromium that must be installed

${sheetUsage}`;

try {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage);
  } else if (args[0] === 'sheet') {
    await makeSheet(args.slice(1));
  } else if (args[0] === 'screenshots') {
    parseArgs({ args: args.slice(1), options: {} });
    await takeScreenshots((line) => console.log(line));
  } else {
    const { values } = parseArgs({ args, options: { only: { type: 'string', default: '' } } });
    await writeSite(values.only, (line) => console.log(line));
  }
} catch (error) {
  console.error(`samples: ${(error as Error).message}`);
  if ((error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')) console.error(usage);
  process.exitCode = 1;
}
