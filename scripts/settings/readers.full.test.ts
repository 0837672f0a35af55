import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { unneededSecretsOf } from '#shared/platform/program-secrets.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import type { SettingName } from '#shared/platform/settings.ts';
import { settingsPage } from './documents.ts';
import { type Reader, readersOfSettings } from './readers.ts';

let readers: Record<SettingName, Reader[]>;

beforeAll(async () => {
  readers = await readersOfSettings();
});

test('docs/settings.md says who reads each setting', () => {
  const page = readFileSync(join(rootFolder, 'docs/settings.md'), 'utf8');
  expect(page).toBe(settingsPage((name) => readers[name]));
});

test('every setting is read, and its readers are told apart', () => {
  expect(Object.entries(readers).filter(([, names]) => names.length === 0)).toEqual([]);
  expect(readers).toMatchObject({
    TRUSTED_PROXIES: ['server'],
    WORKER_CONCURRENCY: ['worker'],
    LOG_LEVEL: ['server', 'worker'],
    MONGODB_URL: ['server', 'worker', 'scripts'],
  });
});

test.for(['server', 'worker'] as const)(
  'the %s reads none of the secrets that it need not be given',
  (program) => {
    const unneeded = Object.keys(unneededSecretsOf(program)) as SettingName[];
    expect(unneeded.length).toBeGreaterThan(0);
    expect(unneeded.filter((name) => readers[name].includes(program))).toEqual([]);
  },
);
