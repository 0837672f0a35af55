/** `npm run audit` while the storage is not mounted. */
import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller();

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
    ...{ code: 1, stdout: '' },
    stderr: expect.stringMatching(/^audit: the storage \S+ is not the one that the database belongs to.*\n$/),
  });
  expect(await stack.models.auditResults.countDocuments()).toBe(0);
  await rm(stack.storageFolder, { recursive: true, force: true });
  await rename(away, stack.storageFolder);
  await expect.poll(async () => (await audit().catch((error) => error)).stdout).toContain('0 findings');
});
