/** `npm run audit` of more documents than it reads at once, and while the storage is not mounted. */

import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { addEntry, changeProfile, test } from './audit-steps.ts';

// `npm run audit` of more documents than it reads at once.

test('entries without a profile or generation, however many: documents are read in batches', async ({
  stack,
  seller,
}) => {
  const others = await Promise.all(Array.from({ length: 4 }, () => stack.seller()));
  const keys = Array.from({ length: 250 }, (_, index) => `none-${index}`);
  for (const key of keys) await addEntry(stack, { profile: 'nobody', kind: 'settle', key });
  const found = await stack.audit();
  expect(found.filter(({ problem }) => problem === 'a settle without a profile')).toHaveLength(250);
  expect(new Set(found.map(({ id }) => id))).toEqual(new Set(keys));
  expect(found).toHaveLength(500);
  for (const each of [seller, ...others]) await changeProfile(stack, each, { $inc: { settled: 1 } });
  expect(await stack.audit()).toHaveLength(510);
});

// `npm run audit` while the storage is not mounted.

test('a storage that is not mounted is no storage without images: the audit says so and stores no result', async ({
  stack,
  seller,
  window,
}) => {
  const { id } = await seller.submit();
  expect((await window.untilEnded(id)).state).toBe('succeeded');
  const environment = { cwd: rootFolder, env: childEnvironment(stack.settings) };
  const audit = () => promisify(execFile)(process.execPath, ['scripts/audit/main.ts'], environment);
  const away = `${stack.storageFolder}.away`;
  await rename(stack.storageFolder, away);
  await expect(audit()).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^audit: the storage \S+ is not the one that the database belongs to.*\n$/),
  });
  expect(await stack.models.auditResults.countDocuments()).toBe(0);
  await rm(stack.storageFolder, { recursive: true, force: true });
  await rename(away, stack.storageFolder);
  await expect.poll(async () => (await audit().catch((error) => error)).stdout).toContain('0 findings');
});
