/** A database handle has no models outside shared/data: a statement elsewhere does not compile (decision 22). */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';

const planted = [
  `import type { Db } from '${rootFolder}/shared/data/db.ts';`,
  `import { findUser } from '${rootFolder}/shared/data/users.ts';`,
  "export const allowed = (db: Db) => findUser(db, 'id');",
  'export const query = (db: Db) => db.users.find();',
  'export const update = (db: Db) => db.profiles.updateOne({}, { $set: { credits: 1 } });',
  "export const driver = (db: Db) => db.connection.collection('users');",
  '',
].join('\n');

/** Type-checks a file with the settings of the repository. @returns the lines that have an error, by TypeScript's code */
async function typeCheck(folder: string, file: string): Promise<string[]> {
  const settings = {
    extends: join(rootFolder, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(rootFolder, 'node_modules/@types')] },
    files: [file],
    include: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const output = await new Promise<string>((resolve) => {
    const tsc = join(rootFolder, 'node_modules/.bin/tsc');
    execFile(tsc, ['-p', folder, '--pretty', 'false'], { cwd: folder }, (_, stdout) => resolve(stdout));
  });
  return Array.from(output.matchAll(/^(.+)\((\d+),\d+\): error (TS\d+)/gm), ([, path, line, code]) => {
    return `${path}:${line} ${code}`;
  });
}

test('a model call outside shared/data does not compile', async ({ onTestFinished }) => {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-data-rule-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'planted.mts'), planted);
  const errors = await typeCheck(folder, 'planted.mts');
  expect(errors).toEqual(['planted.mts:4 TS2339', 'planted.mts:5 TS2339', 'planted.mts:6 TS2339']);
}, 120_000);
