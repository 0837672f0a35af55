/** New passkeys that take long to read, for a server without limits. */
import { paths } from '#contract';
import { hashSecret } from '#shared/data/accounts/account-tokens.ts';
import type { Models } from '#shared/data/collections.ts';
import { type HostileCase, jsonRequest } from './hostile-requests.ts';

/** What each request answers. A server reads nothing else of one that answers no challenge. */
const challenge = 'x'.repeat(43);

/** Stores the challenge for a session without second factors, as if it had just been given out: each answer uses it up. */
export async function giveChallenge(models: Models, sessionId: string): Promise<void> {
  const _id = hashSecret(`add session ${sessionId} off ${challenge}`);
  const expires_at = new Date(Date.now() + 3_600_000);
  await models.passkeyChallenges.updateOne({ _id }, { $set: { expires_at } }, { upsert: true });
}

/** The most that the field for the object about a passkey takes, before base64. */
const bytes = 24_000;

/** The head of a CBOR item (RFC 8949, 3). @param major 2 is bytes, 4 an array, 5 a map */
function head(major: number, length: number): Buffer {
  const written = Buffer.alloc(5, (major << 5) | 26);
  written.writeUInt32BE(length, 1);
  return written;
}

/** Keys and values from 0 on. */
function pairs(count: number): Buffer {
  const written = Buffer.alloc(count * 4);
  for (let key = 0; key < count; key += 1) {
    written.writeUInt8(0x19, key * 4);
    written.writeUInt16BE(key, key * 4 + 1);
  }
  return written;
}

/** @param origin of the server @param authorization of a session without second factors */
export function hostilePasskeys(origin: string, authorization: string): HostileCase {
  const clientData = JSON.stringify({ type: 'webauthn.create', challenge, origin });
  const passkey = (object: Buffer) =>
    jsonRequest(
      paths.passkeys,
      JSON.stringify({
        credential: {
          id: 'AAAA',
          rawId: 'AAAA',
          type: 'public-key',
          response: {
            clientDataJSON: Buffer.from(clientData).toString('base64url'),
            attestationObject: object.toString('base64url'),
          },
        },
      }),
      { authorization },
    );
  return {
    reader: 'passkeys',
    harmless: passkey(Buffer.concat([head(2, bytes), Buffer.alloc(bytes)])),
    hostile: [
      ['arrays in arrays', passkey(Buffer.alloc(bytes, 0x81))],
      ['arrays without an end in arrays', passkey(Buffer.alloc(bytes, 0x9f))],
      ['tags of tags', passkey(Buffer.alloc(bytes, 0xc1))],
      ['an array of numbers', passkey(Buffer.concat([head(4, bytes), Buffer.alloc(bytes)]))],
      [
        'an array that claims to be long',
        passkey(Buffer.concat([head(4, 0xffff_ffff), Buffer.alloc(bytes)])),
      ],
      ['a map', passkey(Buffer.concat([head(5, bytes / 4), pairs(bytes / 4)]))],
      ['a map that claims to be long', passkey(Buffer.concat([head(5, 0xffff_ffff), pairs(bytes / 4)]))],
      ['text that claims to be long', passkey(Buffer.concat([head(3, 0xffff_ffff), Buffer.alloc(bytes)]))],
    ],
  };
}
