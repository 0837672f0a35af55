import { readZipEntry } from './zip-entry.ts';

/** The kind of a CV. */
export interface CvType {
  extension: 'pdf' | 'docx' | 'odt' | 'doc';
  mediaType: string;
}

const pdf: CvType = { extension: 'pdf', mediaType: 'application/pdf' };
const doc: CvType = { extension: 'doc', mediaType: 'application/msword' };
const docx: CvType = {
  extension: 'docx',
  mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};
const odt: CvType = { extension: 'odt', mediaType: 'application/vnd.oasis.opendocument.text' };

const pdfStart = /^(?:\xef\xbb\xbf)?%PDF-/;
const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** Word before 2007 writes a compound file with a stream of this name; installers are compound files too, without it. */
const wordStream = Buffer.from('WordDocument', 'utf16le');
/** Bytes of the list of types in an Office file: 130 for each part that it names. */
const typesMost = 256 * 1024;

/**
 * The type of a file by its bytes; its name and its declared type do not count. The bytes come from a stranger: this reads
 * only signatures, and of a ZIP one or two small files. Formats with macros are no CV.
 * @returns undefined unless it is a PDF, DOCX, ODT or DOC
 */
export function cvTypeOf(bytes: Buffer): CvType | undefined {
  if (pdfStart.test(bytes.toString('latin1', 0, 8))) return pdf;
  if (bytes.subarray(0, compoundFile.length).equals(compoundFile)) {
    return bytes.includes(wordStream) ? doc : undefined;
  }
  if (readZipEntry(bytes, 'mimetype', odt.mediaType.length)?.toString('latin1') === odt.mediaType) return odt;
  const types = readZipEntry(bytes, '[Content_Types].xml', typesMost)?.toString('latin1') ?? '';
  const isWord = types.includes(`"${docx.mediaType}.main+xml"`);
  return isWord && !types.includes('macroEnabled') ? docx : undefined;
}
