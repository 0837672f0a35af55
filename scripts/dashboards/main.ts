/** `node scripts/run.mjs scripts/dashboards/main.ts FOLDER`: writes the dashboards as JSON files, as Grafana imports them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '#scripts/command-line.ts';
import { dashboards } from './dashboards.ts';

const { words } = readCommandLine('dashboards', {
  typed: 'node scripts/run.mjs scripts/dashboards/main.ts',
  about: 'Writes the dashboards as JSON files, as Grafana imports them.',
  words: 'FOLDER',
});
const folder = words[0]!;
mkdirSync(folder, { recursive: true });
for (const [name, dashboard] of Object.entries(dashboards)) {
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(dashboard, null, 2)}\n`);
  console.log(`dashboards: ${join(folder, `${name}.json`)} is written`);
}
