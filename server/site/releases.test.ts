import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openFolderStorage } from '#shared/storage/folder-storage.ts';
import { describeReleases } from '#tests/support/releases-contract.ts';

describeReleases('a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-releases-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return openFolderStorage(folder);
});
