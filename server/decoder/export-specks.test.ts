/** What counts as dust, on random pictures: groups by runs are those of a walk from pixel to pixel. */
import { expect, test } from 'vitest';
import { createRandom } from '#tests/support/random.ts';
import { partsOf } from './areas.ts';
import { addSpecks } from './export-specks.ts';

const [width, height] = [97, 80];

test.for([0.02, 0.1, 0.25])('groups of a few pixels become background: %f of it is dust', (density) => {
  const random = createRandom(Math.round(density * 1_000));
  let specks = 0;
  for (let time = 0; time < 20; time += 1) {
    const background = new Uint8Array(width * height);
    for (let pixel = 0; pixel < background.length; pixel += 1)
      background[pixel] = random.chance(density) ? 0 : 1;
    // Something large that reaches both sides of the frame.
    background.fill(0, width * 30, width * 60);
    const expected = background.slice();
    const parts = partsOf(
      background.map((value) => 1 - value),
      width,
    );
    const largest = Math.max(...parts.map(({ length }) => length));
    for (const part of parts) {
      if (part.length > 25 || part.length * 200 > largest) continue;
      for (const pixel of part) expected[pixel] = 1;
      specks += 1;
    }
    addSpecks(background, width);
    expect(background).toEqual(expected);
  }
  expect(specks).toBeGreaterThan(100);
});
