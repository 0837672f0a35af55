import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { uncheckedOf, unneededSecretsOf } from '#shared/platform/program-secrets.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import type { SettingName } from '#shared/platform/settings.ts';
import { readInCheckout } from '#tests/support/checkout.ts';
import { limitMs } from '#tests/support/machine.ts';
import { settingsPage } from './documents.ts';
import { type Reader, readersOfSettings } from './readers.ts';
import { isRequired, settingNames } from './shape.ts';

let readers: Record<SettingName, Reader[]>;

beforeAll(async () => {
  readers = await readersOfSettings();
  // The types of all programs are read.
}, limitMs(120_000));

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

test.for(['server', 'worker'] as const)(
  'the %s is asked for every setting that it reads, and checked for no other',
  (program) => {
    const unchecked = uncheckedOf(program);
    expect(unchecked.filter((name) => readers[name].includes(program))).toEqual([]);
    // Those without a safe default: required, or checked in production.
    const checked = settingNames.filter(
      (name) =>
        isRequired(name) || new RegExp(`\\b${name}\\b`).test(readInCheckout('shared/platform/production.ts')),
    );
    expect(checked.length).toBeGreaterThan(10);
    const notRead = checked.filter((name) => !readers[name].includes(program));
    expect(notRead.filter((name) => !unchecked.includes(name))).toEqual([]);
  },
);
