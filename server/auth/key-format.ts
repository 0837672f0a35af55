import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { apiKeyPrefix } from '#contract';

/** The part of a key that is drawn, in bytes. */
const secretBytes = 24;
const keyFormat = new RegExp(`^${apiKeyPrefix}([0-9a-f]{${secretBytes * 2}})([0-9a-f]{8})$`);

const checksumOf = (secret: string) =>
  crc32(apiKeyPrefix + secret)
    .toString(16)
    .padStart(8, '0');

/** A new key: its prefix, 48 hexadecimal digits, and 8 of their CRC-32, by which a key is told from a mistyped one. */
export function newKey(): string {
  const secret = randomBytes(secretBytes).toString('hex');
  return apiKeyPrefix + secret + checksumOf(secret);
}

/** Whether a text can be a key at all. */
export function isKey(text: string): boolean {
  const [, secret, checksum] = keyFormat.exec(text) ?? [];
  return secret !== undefined && checksumOf(secret) === checksum;
}

/** What is stored of a key. It was drawn, so a fast hash without a salt is enough. */
export const hashKey = (key: string) => createHash('sha256').update(key).digest('base64url');
