import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type ApiKeyMode, apiKeyPrefixes } from '#contract';

/** The part of a key that is drawn, in bytes. */
const secretBytes = 24;
const keyFormat = new RegExp(
  `^((?:${Object.values(apiKeyPrefixes).join('|')})[0-9a-f]{${secretBytes * 2}})([0-9a-f]{8})$`,
);

const checksumOf = (text: string) => crc32(text).toString(16).padStart(8, '0');

/** A new key: its prefix, 48 hexadecimal digits, and 8 of their CRC-32, by which a key is told from a mistyped one. */
export function newKey(mode: ApiKeyMode = 'live'): string {
  const secret = apiKeyPrefixes[mode] + randomBytes(secretBytes).toString('hex');
  return secret + checksumOf(secret);
}

/** Whether a text can be a key at all. */
export function isKey(text: string): boolean {
  const [, secret, checksum] = keyFormat.exec(text) ?? [];
  return secret !== undefined && checksumOf(secret) === checksum;
}

/** The key of an `Authorization` header; an empty text without one. */
export const keyIn = (authorization = '') => /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '';

/** Whether a text begins as test keys do. */
export const isTestKey = (text: string) => text.startsWith(apiKeyPrefixes.test);

/** What is stored of a key. It was drawn, so a fast hash without a salt is enough. */
export const hashKey = (key: string) => createHash('sha256').update(key).digest('base64url');
