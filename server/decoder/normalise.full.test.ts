/** What `normalise.test.ts` says of one sample photo holds for all. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { expectKept } from '#tests/support/normalised.ts';

const samples = join(rootFolder, 'scripts/local/photos');

test('every sample photo is stored with a mean difference of at most 1, and again without a further one', async () => {
  const photos = (await readdir(samples)).filter((name) => name.endsWith('.jpg'));
  expect(photos.length).toBeGreaterThan(10);
  for (const name of photos) await expectKept(join(samples, name));
});

test('so is a photograph with grain, in a file without loss', () =>
  expectKept(join(rootFolder, 'tests/support/sample/coffee-cup.png')));
