import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes a folder, which is removed after the test. @returns its path */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
