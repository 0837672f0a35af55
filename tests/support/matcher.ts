/** The process that compares images, as its tests need it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { readSample } from '#tests/campaigns/match-report/samples.ts';
import { createProductMatcher, type MatchLimits } from '#worker/product-match/product-matcher.ts';

/** A folder for the tests of the file. */
export const matcherFolder = await mkdtemp(join(tmpdir(), 'packshot-matcher-'));
afterAll(() => rm(matcherFolder, { recursive: true }));

/** A photo in that folder, which is also an image with its product. */
export const tinPhoto = { key: 'tin', path: join(matcherFolder, 'tin') };
await writeFile(tinPhoto.path, (await readSample('tea-tin-1')).png);

/** A matcher that closes with the test. */
export function openMatcher(limits?: Partial<MatchLimits>) {
  const matcher = createProductMatcher(limits);
  onTestFinished(() => matcher.close());
  return matcher;
}
