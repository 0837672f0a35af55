/** Requests that take long to read, for a server without limits. */
import { limits, paths, photoAddressLimits } from '#contract';
import type { RawRequest } from './raw-http.ts';
import { newAddress } from './visitor.ts';

/** What one reader gets: something harmless of the same size, and what is built to take long. */
export interface HostileCase {
  /** As in docs/parsers.md. */
  reader: string;
  harmless: RawRequest;
  hostile: [what: string, request: RawRequest][];
}

/** Bytes of a long header, so that there is room for the others. */
const headerBytes = 15_000;

export const jsonRequest = (
  path: string,
  body: string,
  headers: Record<string, string> = {},
): RawRequest => ({
  path,
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body,
});
export const filled = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));
export const nested = (bytes: number) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);
/** Fields of JSON that all have another name. */
export const manyFields = (count: number) =>
  `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join()}}`;

const signIn = (email: string, headers: Record<string, string> = {}) =>
  jsonRequest(paths.session, JSON.stringify({ email, password: 'Wrong-Horse-7' }), headers);

/** Cases without a large body. @param image the address of an image */
export function hostileHeads(authorization: string, image: string): HostileCase[] {
  const list = (query: string): RawRequest => ({
    path: `${paths.generations}?${query}`,
    headers: { authorization },
  });
  const me = (headers: Record<string, string>): RawRequest => ({ path: paths.me, headers });
  const read = (headers: Record<string, string>): RawRequest => ({
    path: image,
    headers: { authorization, ...headers },
  });
  const device = (userAgent: string) => signIn(newAddress(), { 'user-agent': userAgent });
  const socket = (query: string): RawRequest => ({
    path: `${paths.socket}/?EIO=4&transport=polling&${query}`,
  });
  const photoAt = (url: string) =>
    jsonRequest(paths.photoAddresses, JSON.stringify({ url }), { authorization });
  const addressCharacters = photoAddressLimits.characters - 100;
  return [
    {
      reader: 'headers',
      harmless: me({ 'x-long': 'x'.repeat(headerBytes) }),
      hostile: [
        ['many', me(Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`x${at}`, '1'])))],
        ['spaces', me({ 'x-long': `a${' '.repeat(headerBytes)}a` })],
        ['X-Forwarded-For', me({ 'x-forwarded-for': filled('1,', headerBytes) })],
        ['traceparent', me({ traceparent: filled('00-', headerBytes) })],
      ],
    },
    {
      reader: 'addresses',
      harmless: list(`cursor=${'a'.repeat(headerBytes)}`),
      hostile: [
        ['slashes', { path: '/'.repeat(headerBytes) }],
        ['escapes', { path: `/${filled('%2f', headerBytes)}` }],
        ['escapes that are none', { path: `${paths.generations}/${'%'.repeat(headerBytes)}` }],
        ['a parameter again and again', list(filled('a=1&', headerBytes))],
        ['parameters without a name', list(filled('&=', headerBytes))],
        ['many parameters', list(Array.from({ length: 2_000 }, (_, at) => `a${at}=`).join('&'))],
      ],
    },
    {
      reader: 'addresses of photos',
      harmless: photoAt(`http://a.example/${'a'.repeat(addressCharacters)}`),
      hostile: [
        ['dots', photoAt(`http://${filled('a.', addressCharacters)}`)],
        ['digits', photoAt(`https://${filled('1.', addressCharacters)}`)],
        ['colons', photoAt(`https://[${filled('1:', addressCharacters)}]/`)],
        ['letters of other scripts', photoAt(`http://${'ü'.repeat(addressCharacters)}`)],
        ['slashes and dots', photoAt(`http://a.example/${filled('../', addressCharacters)}`)],
        ['escapes that are none', photoAt(`http://a.example/${'%'.repeat(addressCharacters)}`)],
        ['signs', photoAt(`https://${'@'.repeat(addressCharacters)}`)],
      ],
    },
    {
      reader: 'cookies and tokens',
      harmless: me({ cookie: `a=${'b'.repeat(headerBytes)}` }),
      hostile: [
        ['many cookies', me({ cookie: filled('a=b;', headerBytes) })],
        ['semicolons', me({ cookie: ';'.repeat(headerBytes) })],
        ['quotes and escapes', me({ cookie: filled('a="%22', headerBytes) })],
        ['a token of dots', me({ authorization: `Bearer ${'.'.repeat(headerBytes)}` })],
        [
          'a token of brackets',
          me({ authorization: `Bearer ${Buffer.from(nested(8_000)).toString('base64url')}.e30.AAAA` }),
        ],
      ],
    },
    {
      reader: 'the device of a sign-in',
      harmless: device('x'.repeat(headerBytes)),
      hostile: [
        ['spaces', device(`Mozilla/5.0${' '.repeat(headerBytes)}x`)],
        ['versions', device(filled('Version/1.1.', headerBytes))],
        ['brackets', device(`Mozilla/5.0 ${'('.repeat(headerBytes)}`)],
        ['names of devices', device(filled('Android; Build/', headerBytes))],
        ['digits', device(`Opera ${filled('9.', headerBytes)}`)],
      ],
    },
    {
      reader: 'headers of a read',
      harmless: read({ 'if-none-match': '"a"', range: 'bytes=0-0', 'x-long': 'x'.repeat(headerBytes) }),
      hostile: [
        ['Accept-Encoding', { path: '/', headers: { 'accept-encoding': filled('br;q=0,', headerBytes) } }],
        ['Range', read({ range: `bytes=${filled('0-1,', headerBytes)}` })],
        ['If-None-Match', read({ 'if-none-match': filled('"a",', headerBytes), range: 'bytes=0-0' })],
        ['one quote', read({ 'if-none-match': `"${'a'.repeat(headerBytes)}`, range: 'bytes=0-0' })],
        [
          'Content-Type',
          jsonRequest(paths.session, '{}', {
            'content-type': `application/json;${filled('a=b;', headerBytes)}`,
          }),
        ],
      ],
    },
    {
      reader: 'JSON',
      harmless: signIn(`${'a'.repeat(limits.jsonBytes - 2_000)}@example.com`),
      hostile: [
        ['arrays in arrays', jsonRequest(paths.session, nested(limits.jsonBytes - 100))],
        [
          'a field again and again',
          jsonRequest(paths.session, `{${filled('"a":1,', limits.jsonBytes - 100)}"b":1}`),
        ],
        ['fields that are not known', jsonRequest(paths.accounts, manyFields(4_900))],
        ['an address of dots', signIn(`a@${filled('a.', limits.jsonBytes - 2_000)}`)],
        ['an address of hyphens', signIn(`a@${'-'.repeat(limits.jsonBytes - 2_000)}.com`)],
        ['an address of signs', signIn('@'.repeat(limits.jsonBytes - 2_000))],
      ],
    },
    {
      reader: 'sockets',
      harmless: socket(`x=${'x'.repeat(headerBytes)}`),
      hostile: [
        ['many parameters', socket(filled('a=1&', headerBytes))],
        ['an unknown session', socket(`sid=${'4'.repeat(headerBytes)}`)],
      ],
    },
  ];
}
