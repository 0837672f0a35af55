/** Vitest's hook for browser tests: builds the web app once, before servers read what it is made of. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWebApp } from '#scripts/start/web.ts';

export default async function setup(): Promise<void> {
  const logFolder = await mkdtemp(join(tmpdir(), 'packshot-e2e-'));
  await buildWebApp(logFolder, () => {});
  await rm(logFolder, { recursive: true });
}
