/** How a PNG is marked without touching its pixels. What ExifTool reads of it is tested where files leave. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { withChunk } from '#local/openai/scene/recipe.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { listOfIptc } from './image-xmp.ts';
import { markPng } from './mark-png.ts';

const countOf = (file: Buffer, text: string) => file.toString('latin1').split(text).length - 1;
/** The chunks with pixels and what they need. */
const pixelChunks = (file: Buffer) => file.subarray(file.indexOf('IDAT') - 4);

test('a mark is added once, and the encoded pixels stay', async () => {
  const png = await samplePhoto();
  const marked = markPng(png, 'composite');
  expect((await sharp(marked).metadata()).xmpAsString).toContain(`${listOfIptc}composite<`);
  expect(pixelChunks(marked)).toEqual(pixelChunks(png));
  expect(markPng(marked, 'trainedAlgorithmicMedia')).toBe(marked);
});

test('Content Credentials that say it are not broken by a byte more', async () => {
  const signed = withChunk(
    await samplePhoto(),
    Buffer.from(`caBX signed ${listOfIptc}trainedAlgorithmicMedia`),
  );
  expect(markPng(signed, 'composite')).toBe(signed);
});

test('those that do not say it would not hold any more, and are removed', async () => {
  const signed = withChunk(await samplePhoto(), Buffer.from('caBX signed'));
  const marked = markPng(signed, 'composite');
  expect([countOf(marked, 'caBX'), countOf(marked, listOfIptc)]).toEqual([0, 1]);
  expect(await sharp(marked).raw().toBuffer()).toEqual(await sharp(signed).raw().toBuffer());
});
