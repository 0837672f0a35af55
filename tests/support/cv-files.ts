/** CVs in each format, and files that only pretend to be one. */
import { strToU8, zipSync } from 'fflate';

const filler = (bytes: number) => Buffer.alloc(bytes, 0x20);

/** @param bytes its exact length */
export function pdf(bytes = 600): Buffer {
  const start = Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n\xff\xfe\0\r\n', 'latin1');
  const end = Buffer.from('\n%%EOF\n');
  return Buffer.concat([start, filler(bytes - start.length - end.length), end]);
}

/** An Office file. @param main the media type of its main part */
export function officeFile(
  main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
): Buffer {
  const types = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`;
  return Buffer.from(
    zipSync({ '[Content_Types].xml': strToU8(types), 'word/document.xml': strToU8('<w:document/>') }),
  );
}

export function odt(): Buffer {
  const type = strToU8('application/vnd.oasis.opendocument.text');
  return Buffer.from(zipSync({ mimetype: [type, { level: 0 }], 'content.xml': strToU8('<office/>') }));
}

/** A compound file with one stream: a DOC with `WordDocument`, otherwise for example an installer. */
export function compoundFile(stream = 'WordDocument'): Buffer {
  const magic = Buffer.from('d0cf11e0a1b11ae1', 'hex');
  return Buffer.concat([magic, filler(600), Buffer.from(stream, 'utf16le'), filler(600)]);
}

export const executable = () => Buffer.concat([Buffer.from('MZ'), filler(300), Buffer.from('PE\0\0')]);

export const zip = () => Buffer.from(zipSync({ 'cv.txt': strToU8('a CV') }));
