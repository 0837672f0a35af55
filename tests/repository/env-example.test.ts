/** `docs/settings.md` and `.env.example` are what the schema of the settings gives (`node scripts/settings/main.ts`). */
import { expect, test } from 'vitest';
import { environmentExample, settingsPage } from '#scripts/settings/documents.ts';
import { loadConfig } from '#shared/platform/config.ts';
import { type SettingName, settingsSchema } from '#shared/platform/settings.ts';
import { readInCheckout as read } from '#tests/support/checkout.ts';

const example = read('.env.example');
const lines = [...example.matchAll(/^#([A-Z0-9_]+)=(.*)$/gm)].map(
  ([, name, value]) => [name!, value!] as const,
);

test('.env.example is as the schema has it', () => {
  expect(example).toBe(environmentExample());
});

test('docs/settings.md is as the schema has it, but for who reads a setting', () => {
  const page = read('docs/settings.md');
  // scripts/settings/readers.full.test.ts compares the last column.
  const shown = [...page.matchAll(/^\| `([A-Z0-9_]+)` \|.*\| (.*) \|$/gm)].map(
    ([, name, readers]) => [name, readers!.split(', ')] as const,
  );
  const readersOf = new Map(shown);
  expect(page).toBe(settingsPage((name) => readersOf.get(name) ?? []));
});

test('every setting has a meaning', () => {
  const names = Object.keys(settingsSchema.shape) as SettingName[];
  const described = names.filter((name) => settingsSchema.shape[name].meta()?.description);
  expect(described).toEqual(names);
  expect(lines.map(([name]) => name)).toEqual(expect.arrayContaining(names));
});

test('.env.example shows the defaults', () => {
  const needed = {
    MONGODB_URL: 'mongodb://127.0.0.1',
    QUEUE_URL: 'redis://127.0.0.1',
    STORAGE_URL: 'file:/tmp',
    SESSION_SECRET: 'x'.repeat(32),
    OPENAI_API_KEY: 'x',
    STRIPE_SECRET_KEY: 'x',
    STRIPE_WEBHOOK_SECRET: 'x',
    SMTP_URL: 'smtp://127.0.0.1',
  };
  const shown = Object.fromEntries(
    lines.filter(([name, value]) => value !== '' && !(name in needed) && !name.startsWith('TEST_')),
  );
  expect(Object.keys(shown).length).toBeGreaterThan(30);
  expect(loadConfig({ ...needed, ...shown })).toEqual(loadConfig(needed));
});
