import { fileTypeFromBuffer } from 'file-type';

/** The kind of a CV. */
export interface CvType {
  extension: 'pdf' | 'docx' | 'odt' | 'doc';
  mediaType: string;
}

/** The formats of word processors that we accept, by the media type that their bytes show. Formats with macros are not. */
const extensions: Readonly<Record<string, CvType['extension']>> = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.oasis.opendocument.text': 'odt',
};

/** Word before 2007 writes a compound file with a stream of this name; installers are compound files too, without it. */
const compoundFile = 'application/x-cfb';
const wordStream = Buffer.from('WordDocument', 'utf16le');

/**
 * The type of a file by its bytes; its name and its declared type do not count.
 * @returns undefined unless it is a PDF, DOCX, ODT or DOC
 */
export async function cvTypeOf(bytes: Buffer): Promise<CvType | undefined> {
  // It throws for some damaged files.
  const { mime: mediaType = '' } = (await fileTypeFromBuffer(bytes).catch(() => undefined)) ?? {};
  if (mediaType === compoundFile) {
    return bytes.includes(wordStream) ? { extension: 'doc', mediaType: 'application/msword' } : undefined;
  }
  const extension = Object.hasOwn(extensions, mediaType) ? extensions[mediaType] : undefined;
  return extension && { extension, mediaType };
}
