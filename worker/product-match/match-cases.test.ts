/** Pairs with one photo whose names say the level that is right. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { match, storePhoto } from '#tests/support/product-matches.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../tests/support/match-cases/${name}.jpg`, import.meta.url));
const photo = await storePhoto('photo', read('photo'));

test.each(['same-expect-high', 'logo-missing-expect-low', 'stretched-10pct-expect-low'])(
  '%s',
  async (name) => {
    expect((await match([photo], read(name)))?.level).toBe(name.split('-').at(-1));
  },
);
