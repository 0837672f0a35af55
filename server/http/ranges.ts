import type { ByteRange } from '#shared/platform/storage.ts';

/**
 * Reads a Range header (RFC 9110, section 14). One range of bytes is served; several are not, and a server may answer
 * those, like a header that it cannot read, with the whole file.
 * @param header as it came; undefined without one
 * @param bytes length of the file
 * @returns the part that is asked for; `whole` for all of it; `unsatisfiable` for a part that the file does not have
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
 * Whether a Range header still means the file that its sender has a part of, as its If-Range header says.
 * @param ifRange as it came; a date says nothing here: files are known by their tags alone
 * @param etag of the file as it is now
 */
export function isSameFile(ifRange: string | string[] | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange === etag;
}

/** Whether an If-None-Match header (RFC 9110, section 13.1.2) names a file that its sender has as it is now. */
export function hasFile(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const tags: string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return tags.includes(etag);
}
