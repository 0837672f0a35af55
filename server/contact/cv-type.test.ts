import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { compoundFile, executable, odt, officeFile, pdf, zip } from '#tests/support/cv-files.ts';
import { hostileCvs } from '#tests/support/hostile-cvs.ts';
import { cvTypeOf } from './cv-type.ts';

const typesOf = (main: string) =>
  `<Types><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`;
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** A DOCX as programs write it that do not know the length of a part before they have written it. */
async function streamedDocx(types: string, { isCompressed = true } = {}): Promise<Buffer> {
  const file = new ZipFile();
  const options = { compress: isCompressed };
  file.addReadStream(Readable.from(['<w:document/>']), 'word/document.xml', options);
  file.addReadStream(Readable.from([types]), '[Content_Types].xml', options);
  file.end({ comment: 'PK but no end of the list of entries', forceZip64Format: false });
  return buffer(file.outputStream);
}

test('a CV is recognised by its bytes', async () => {
  expect(cvTypeOf(pdf())?.extension).toBe('pdf');
  expect(cvTypeOf(Buffer.concat([Buffer.from('\ufeff'), pdf()]))?.extension).toBe('pdf');
  expect(cvTypeOf(officeFile())?.extension).toBe('docx');
  expect(cvTypeOf(odt())?.extension).toBe('odt');
  expect(cvTypeOf(compoundFile())?.extension).toBe('doc');
});

test.each([true, false])(
  'a DOCX whose list of types is last and has its length behind it is one, compressed: %s',
  async (isCompressed) => {
    expect(cvTypeOf(await streamedDocx(typesOf(word), { isCompressed }))?.extension).toBe('docx');
  },
);

test('a DOCX with hundreds of parts is one', async () => {
  const parts = Array.from(
    { length: 1_000 },
    (_, index) => `<Override PartName="/word/media/image${index}.png" ContentType="image/png"/>`,
  );
  expect(cvTypeOf(await streamedDocx(typesOf(word) + parts.join('')))?.extension).toBe('docx');
});

test.each([
  ['an executable', executable()],
  ['a ZIP', zip()],
  ['a ZIP that ends early', officeFile().subarray(0, -1)],
  ['a ZIP of which a quarter is there', officeFile().subarray(0, 60)],
  ['a ZIP that something stands before', Buffer.concat([Buffer.from('MZ'), officeFile()])],
  ['a document with macros', officeFile('application/vnd.ms-word.document.macroEnabled.main+xml')],
  [
    'one that names both types',
    officeFile(`${word}"/><Override ContentType="application/vnd.ms-word.document.macroEnabled.main+xml`),
  ],
  ['a table', officeFile('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml')],
  ['an installer', compoundFile('\u4840\u3f3f\u4577')],
  ['four bytes', Buffer.from('PK\x03\x04')],
  ['nothing', Buffer.alloc(0)],
])('%s is no CV', (_, file) => {
  expect(cvTypeOf(file)).toBeUndefined();
});

test.each(hostileCvs())('$what is no CV', ({ file }) => {
  expect(cvTypeOf(file)).toBeUndefined();
});
