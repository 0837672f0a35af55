/** One part of a raw form. `headers` replaces the headers built from `name`, `fileName` and `type`. */
export interface Part {
  name: string;
  value: string | Buffer;
  fileName?: string;
  type?: string;
  headers?: string;
}

export interface RawForm {
  headers: { 'content-type': string };
  body: Buffer<ArrayBuffer>;
}

const boundary = 'packshot-test-boundary';

/**
 * Builds the bytes of a multipart form, including malformed ones that `FormData` cannot produce.
 * @param end false omits the closing boundary
 */
export function multipart(parts: readonly Part[], end = true): RawForm {
  const pieces: Buffer[] = [];
  for (const part of parts) {
    const fileName = part.fileName === undefined ? '' : `; filename="${part.fileName}"`;
    const type = part.type === undefined ? '' : `\r\nContent-Type: ${part.type}`;
    const headers = part.headers ?? `Content-Disposition: form-data; name="${part.name}"${fileName}${type}`;
    pieces.push(
      Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`),
      typeof part.value === 'string' ? Buffer.from(part.value) : part.value,
      Buffer.from('\r\n'),
    );
  }
  if (end) pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat(pieces),
  };
}
