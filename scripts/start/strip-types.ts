/** Strips the types of all sources that processes load, in advance: shared/platform/stripped-types.mjs says why. */
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { strippedFile, strippedFolder } from '#shared/platform/stripped-types.mjs';

await mkdir(strippedFolder, { recursive: true });
for await (const path of glob('{scripts,server,shared,worker}/**/*.ts', {
  cwd: rootFolder,
  exclude: (name) => name.endsWith('node_modules') || /\.test(?:-d)?\.ts$/.test(name),
})) {
  const source = await readFile(join(rootFolder, path), 'utf8');
  const file = strippedFile(source);
  if (existsSync(file)) continue;
  // In one step: processes read it meanwhile.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, stripTypeScriptTypes(source));
  await rename(unfinished, file);
}
