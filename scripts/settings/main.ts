/** `node scripts/settings/main.ts`: writes `docs/settings.md` and `.env.example` from the schema of the settings. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '#scripts/command-line.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { environmentExample, settingsPage } from './documents.ts';
import { readersOfSettings } from './readers.ts';

readCommandLine('settings', {
  typed: 'node scripts/settings/main.ts',
  about: 'Writes docs/settings.md and .env.example from the schema of the settings.',
});
const readers = await readersOfSettings();
const files = {
  'docs/settings.md': settingsPage((name) => readers[name]),
  '.env.example': environmentExample(),
};
for (const [file, text] of Object.entries(files)) {
  writeFileSync(join(rootFolder, file), text);
  console.log(`settings: ${file} is written`);
}
