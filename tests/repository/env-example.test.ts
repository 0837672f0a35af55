import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '#shared/platform/config.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

const source = readFileSync(join(rootFolder, 'shared/platform/settings.ts'), 'utf8');
/** What reads the settings of the tests. */
const testSettings = ['given-stores.ts', 'main.ts']
  .map((file) => readFileSync(join(rootFolder, 'scripts/test', file), 'utf8'))
  .join('\n');
const example = readFileSync(join(rootFolder, '.env.example'), 'utf8');
const lines = [...example.matchAll(/^#([A-Z0-9_]+)=(.*)$/gm)].map(
  ([, name, value]) => [name!, value!] as const,
);

test('.env.example names every setting, and no other', () => {
  const known = new Set([
    ...[...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map((match) => match[1]!),
    ...[...testSettings.matchAll(/environment\.([A-Z0-9_]+)/g)].map((match) => match[1]!),
  ]);
  expect(lines.map(([name]) => name).sort()).toEqual([...known].sort());
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
  expect(loadConfig({ ...needed, ...shown })).toEqual(loadConfig(needed));
});
