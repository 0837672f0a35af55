/** Global set-up of the browser tests: builds the web app before any server reads the built files. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWebApp } from '#scripts/start/web.ts';

export default async function setup(): Promise<void> {
  const logFolder = await mkdtemp(join(tmpdir(), 'packshot-e2e-'));
  await buildWebApp(logFolder, () => {});
  await rm(logFolder, { recursive: true });
}
