import type { ByteRange } from '#shared/storage/storage.ts';

/**
 * Parses a Range header (RFC 9110, section 14). Only a single byte range is supported; for several ranges, or an invalid
 * header, the whole file is sent, as the RFC allows.
 * @param header undefined without one
 * @param bytes length of the file
 * @returns the range; `whole` for the whole file; `unsatisfiable` for a range beyond its end
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const range = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '');
  const [first, last] = [range?.[1] ?? '', range?.[2] ?? ''];
  if (first === '' && last === '') return 'whole';
  // `-500`: the last 500 bytes.
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (first !== '' && last !== '' && Number(last) < start) return 'whole';
  return start >= bytes || start > end ? 'unsatisfiable' : { start, end };
}

/**
 * Whether an If-Range header allows to send a range: it is absent or matches the file.
 * @param ifRange an ETag; a date never matches
 * @param etag of the current file
 */
export function isSameFile(ifRange: string | string[] | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange === etag;
}

/** Whether an If-None-Match header (RFC 9110, section 13.1.2) matches the file. */
export function hasFile(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const tags: string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return tags.includes(etag);
}
