/** `node scripts/imports.ts`: holds the import rules; prints each breach as file:line and exits with 1. */
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { findBreaches, type Manifest, type SourceFile } from './imports/rules.ts';

const files = globSync(['{server,worker,shared,scripts,tests,web}/**/*.{ts,tsx,mjs,css}', '*.ts'], {
  cwd: rootFolder,
  exclude: (name) => /(^|[\\/])(node_modules|dist)$/.test(name),
}).map(
  (path): SourceFile => ({
    path: path.split(sep).join('/'),
    text: readFileSync(join(rootFolder, path), 'utf8'),
  }),
);
const manifest = JSON.parse(readFileSync(join(rootFolder, 'package.json'), 'utf8')) as Manifest;
const standIns = JSON.parse(readFileSync(join(rootFolder, 'scripts/local/package.json'), 'utf8')) as Manifest;
const breaches = findBreaches(files, manifest, standIns);
for (const { path, line, rule } of breaches) console.error(`${path}:${line} ${rule}`);
console.log(`imports: ${files.length} files, ${breaches.length} breaches`);
process.exit(breaches.length > 0 ? 1 : 0);
