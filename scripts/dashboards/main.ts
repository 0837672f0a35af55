/** `node scripts/run.mjs scripts/dashboards/main.ts FOLDER`: writes the dashboards as JSON files, as Grafana imports them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dashboards } from './dashboards.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('dashboards: give the folder to write to');
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
for (const [name, dashboard] of Object.entries(dashboards)) {
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(dashboard, null, 2)}\n`);
  console.log(`dashboards: ${join(folder, `${name}.json`)} is written`);
}
