/** An authenticator in software: it makes passkeys and answers challenges as browsers pass them on (WebAuthn, level 3). */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { expect } from 'vitest';
import {
  type AddedPasskey,
  type AddPasskey,
  type ErrorReply,
  type PasskeyAssertion,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
  paths,
} from '#contract';
import { call } from './account.ts';
import { type Answer, type Seller, testPassword } from './seller.ts';
import type { TestStack } from './stack.ts';
import type { Visitor } from './visitor.ts';

/** A passkey with its private key. */
export interface Passkey {
  id: string;
  key: KeyObject;
  userHandle: string;
  counter: number;
}

/** What is other than it should be. */
export interface Odd {
  origin?: string;
  rpId?: string;
  /** Without user verification: nobody was asked for a PIN or a fingerprint. */
  unverified?: boolean;
  type?: string;
  /** Of a passkey that is kept on several devices; each may count for itself. */
  synchronised?: boolean;
  challenge?: string;
}

const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

/** A CBOR head: major type and an unsigned number below 65,536. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** Encodes what attestations consist of (RFC 8949). */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)]),
  ]);
}

/** Authenticator data: hash of the site, flags, counter, and the new credential if there is one. */
function authenticatorData(rpId: string, counter: number, odd: Odd, attested?: Buffer): Buffer {
  const flags = 0x01 | (odd.unverified ? 0 : 0x04) | (odd.synchronised ? 0x18 : 0) | (attested ? 0x40 : 0);
  const fixed = Buffer.alloc(5);
  fixed.writeUInt8(flags, 0);
  fixed.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(odd.rpId ?? rpId), fixed, attested ?? Buffer.alloc(0)]);
}

function clientData(type: string, challenge: string, origin: string, odd: Odd): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: odd.type ?? type,
      challenge: odd.challenge ?? challenge,
      origin: odd.origin ?? origin,
      crossOrigin: false,
    }),
  );
}

/** Makes a passkey (ES256, attestation "none"). @param url the page that asks for it */
export function makePasskey(
  url: string,
  options: PasskeyCreationOptions,
  odd: Odd = {},
): { passkey: Passkey; credential: AddPasskey['credential'] } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  const coordinate = (text: string | undefined) => Buffer.from(text!, 'base64url');
  const cose = new Map<number, Cbor>([
    ...([
      [1, 2],
      [3, -7],
      [-1, 1],
    ] as const),
    ...([
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ] as const),
  ]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(cose)]);
  const authData = authenticatorData(options.rp.id, 0, odd, attested);
  const attestation = new Map<string, Cbor>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  const data = clientData('webauthn.create', options.challenge, new URL(url).origin, odd);
  const credentialId = base64url(id);
  return {
    passkey: { id: credentialId, key: privateKey, userHandle: options.user.id, counter: 0 },
    credential: {
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(data),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      },
    },
  };
}

/** Answers a challenge. @param url the page that asks for it */
export function answer(
  url: string,
  { id, key, userHandle, counter }: Passkey,
  { rpId, challenge }: PasskeyRequestOptions,
  odd: Odd = {},
): PasskeyAssertion {
  const data = clientData('webauthn.get', challenge, new URL(url).origin, odd);
  const authData = authenticatorData(rpId, counter, odd);
  const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), key);
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: base64url(data),
      authenticatorData: base64url(authData),
      signature: base64url(signature),
      userHandle,
    },
  };
}

/** Adds a passkey to an account. @param code where two-factor sign-in is on */
export async function addPasskey(
  url: string,
  seller: Pick<Seller, 'request'>,
  { code, odd, name }: { code?: string; odd?: Odd; name?: string } = {},
): Promise<{ passkey: Passkey; reply: Answer<AddedPasskey & ErrorReply> }> {
  const begun = await call<PasskeyCreationOptions>(seller, 'POST', paths.beginPasskey, {
    password: testPassword,
    ...(code !== undefined && { code }),
  });
  expect(begun).toMatchObject({ status: 200 });
  const { passkey, credential } = makePasskey(url, begun.body, odd);
  const body = { credential, ...(name !== undefined && { name }) };
  return { passkey, reply: await call(seller, 'POST', paths.passkeys, body) };
}

/** Makes a seller with a passkey. */
export async function passkeySeller(stack: TestStack) {
  const seller = await stack.seller({ paid: false });
  const { passkey, reply } = await addPasskey(stack.url, seller);
  expect(reply.status).toBe(201);
  return { seller, passkey, view: reply.body.passkey, recoveryCodes: reply.body.recoveryCodes };
}

/** Asks for a challenge without a session. */
export const askChallenge = async (visitor: Visitor) =>
  (await visitor.post(paths.passkeyChallenge, {})).body as PasskeyRequestOptions;

/** A code for a passkey, in the seller's session. */
export async function codeOfPasskey(
  url: string,
  seller: Pick<Seller, 'request'>,
  passkey: Passkey,
): Promise<string> {
  const asked = await call<PasskeyRequestOptions>(seller, 'POST', paths.passkeyChallenge);
  const { body } = await call<{ code: string }>(
    seller,
    'POST',
    paths.passkeyCode,
    answer(url, passkey, asked.body),
  );
  return body.code;
}
