/** Each drawn product on white, and towels that can hardly be seen. `export-background.test.ts` has the rest. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { identityRecipe } from '#contract';
import { exportPicture } from '#tests/support/export-pictures.ts';
import { drawingNames, drawPicture } from '#tests/support/white-pictures.ts';
import { colourAt, expectKept, expectWhitened, towel, whitened } from '#tests/support/whitened-pictures.ts';
import { editImage } from './edit.ts';

test.for(drawingNames)('on pure white, a %s keeps every pixel', expectKept);

test.for(drawingNames)('on nearly white, a %s keeps its pixels but those on its edge', expectWhitened);

test.for([
  [1, 0],
  [2, 0],
  [3, 0],
  [6, 0],
  [3, 4],
  [12, 4],
] as const)(
  'of a towel that is %i darker than white, with noise of %i, never only the logo is shown',
  async ([difference, noise]) => {
    const { before, after, found } = await whitened(await towel(difference, noise));
    if (found.isClear) {
      expect(found.product!.width).toBeGreaterThan(340);
      expect(colourAt(after, 200, 200)).toEqual(colourAt(before, 200, 200));
    } else {
      expect(found).toMatchObject({ product: null, isWhite: true });
      expect(after.data).toEqual(before.data);
    }
  },
);

test('a shadow that does not fit into the frame fades to its edges, and the product is in its middle', async () => {
  const { file, facts } = await exportPicture(await drawPicture('dark duck'), 'amazon-main');
  expect(facts.productShare!.before).toBeCloseTo(425 / 640, 2);
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  const isWhite = (x: number, y: number) => data[(y * info.width + x) * 3]! >= 254;
  for (let at = 0; at < info.width; at += 1) {
    const border = [
      isWhite(at, 0),
      isWhite(at, info.height - 1),
      isWhite(0, at),
      isWhite(info.width - 1, at),
    ];
    expect(border, String(at)).toEqual([true, true, true, true]);
  }
  // The product alone: yellow and orange.
  const columns = Array.from({ length: info.width }, (_, x) => x).filter((x) =>
    Array.from({ length: info.height }, (_, y) => (y * info.width + x) * 3).some(
      (at) => data[at]! - data[at + 2]! > 80,
    ),
  );
  expect(Math.abs(columns[0]! - (info.width - 1 - columns.at(-1)!))).toBeLessThanOrEqual(16);
});

test('the white bowl of a seller stays whole in the editor', async () => {
  const path = 'tests/support/sample/white-bowl.png';
  const recipe = { ...identityRecipe, whiteBackground: true };
  const outcome = await editImage({ path, recipe, sourceType: 'composite' });
  const before = await sharp(path).flatten({ background: '#fff' }).raw().toBuffer();
  expect(
    await sharp(Buffer.from((outcome as { result: Uint8Array }).result))
      .raw()
      .toBuffer(),
  ).toEqual(before);
});
