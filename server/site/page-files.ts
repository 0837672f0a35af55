import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from './encodings.ts';

/** A text file of the built site, as this installation serves it. */
export interface PageFile {
  /** Changes with the content; weak, as it is the same for every encoding. */
  etag: string;
  bodies: Readonly<Record<Encoding, Buffer>>;
}

interface PageOptions {
  /** What stands for the public address in the files. */
  origin: string;
  publicUrl: string;
  /** Attributes of the documents' root elements, which tell the app about this installation. */
  attributes: string;
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Reads and compresses each file once, when it is first requested. */
export function openPageFiles(options: PageOptions) {
  const files = new Map<string, Promise<PageFile>>();
  /** @param path of the file @throws when it cannot be read */
  return (path: string): Promise<PageFile> => {
    const known = files.get(path);
    if (known) return known;
    const read = readPage(path, options);
    files.set(path, read);
    read.catch(() => files.delete(path));
    return read;
  };
}

async function readPage(path: string, { origin, publicUrl, attributes }: PageOptions): Promise<PageFile> {
  const text = (await readFile(path, 'utf8')).replaceAll(origin, () => publicUrl);
  const identity = Buffer.from(text.replace('<html ', () => `<html ${attributes} `));
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: identity.length };
  const [br, gz] = await Promise.all([brotli(identity, { params }), zip(identity, { level: 9 })]);
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { etag, bodies: { br, gzip: gz, identity } };
}
