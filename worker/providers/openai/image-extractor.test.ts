import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createImageExtractor } from './image-extractor.ts';

/** Gives the bytes to an extractor in parts that end at these places. @returns the text, and the images */
function extract(bytes: Buffer, ends: readonly number[]): { text: string; images: Buffer[] } {
  const extractor = createImageExtractor();
  let text = '';
  let from = 0;
  for (const end of [...ends.map((each) => each % (bytes.length + 1)), bytes.length].toSorted(
    (a, b) => a - b,
  )) {
    text += extractor.text(bytes.subarray(from, end));
    from = end;
  }
  const images: Buffer[] = [];
  for (let image = extractor.takeImage(); image; image = extractor.takeImage()) images.push(image);
  return { text, images };
}

const everyPlace = (bytes: Buffer) => Array.from({ length: bytes.length }, (_, place) => place);

test('images are taken out wherever the answer is divided, and the text around them stays', () => {
  const event = fc.record({
    note: fc.string({ unit: 'grapheme' }),
    image: fc.option(fc.uint8Array({ maxLength: 200 })),
    space: fc.constantFrom('', ' ', ' \n '),
    escaped: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 4 }),
      fc.array(fc.nat()),
      fc.boolean(),
      (events, places, all) => {
        const written = (withImages: boolean) =>
          events
            .map(({ note, image, space, escaped }) => {
              const text = JSON.stringify({ note, 'like "b64_json":"': '"b64_json":"' });
              if (!image) return `data: ${text}\n\n`;
              const base64 = withImages ? Buffer.from(image).toString('base64') : '';
              const value = escaped ? base64.replaceAll('/', '\\/') : base64;
              return `data: ${text.slice(0, -1)},"b64_json"${space}:${space}"${value}","index":1}\n\n`;
            })
            .join('');
        const bytes = Buffer.from(written(true));
        const { text, images } = extract(bytes, all ? everyPlace(bytes) : places);
        expect(text).toBe(written(false));
        expect(images).toEqual(events.flatMap(({ image }) => (image ? [Buffer.from(image)] : [])));
      },
    ),
  );
});

test('an image that did not arrive completely is not there', () => {
  expect(extract(Buffer.from('{"b64_json":"AAAA'), [])).toEqual({ text: '{"b64_json":"', images: [] });
});

test('text is passed on at once, unless a key may begin in it', () => {
  const extractor = createImageExtractor();
  expect(extractor.text(Buffer.from('data: {"error":{"code":"x"}}\n\n'))).toBe(
    'data: {"error":{"code":"x"}}\n\n',
  );
  expect(extractor.text(Buffer.from('{"b64_js'))).toBe('{');
  expect(extractor.text(Buffer.from('on":null}'))).toBe('"b64_json":null}');
});
