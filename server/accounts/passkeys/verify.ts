import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { z } from 'zod';
import {
  type AddPasskey,
  limits,
  type PasskeyAssertion,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
  passkeyCreationOptionsSchema,
  passkeyRequestOptionsSchema,
} from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { recordPasskeyUse } from '#shared/data/accounts/passkeys.ts';
import type { PasskeyRow, UserRow } from '#shared/data/accounts/users.ts';
import type { RelyingParty } from './relying-party.ts';

/** EdDSA, ES256, RS256: what authenticators have. */
const algorithms = [-8, -7, -257];

const timeout = limits.passkeyChallengeSeconds * 1_000;

/** How a browser finds a passkey. */
const descriptorOf = ({ credential: id, transports }: PasskeyRow) => ({ id, transports });

/**
 * What a browser needs to make a passkey: one that is found without an address, and that asks for a PIN, a fingerprint or
 * the like, so that it can stand for the password as well.
 * @param user userHandle: by what the authenticator knows the account
 */
export async function creationOptions(
  site: RelyingParty,
  challenge: string,
  user: { userHandle: string; email: string; fullName: string; passkeys: PasskeyRow[] },
): Promise<PasskeyCreationOptions> {
  const options = await generateRegistrationOptions({
    rpName: 'Packshot',
    rpID: site.id,
    userID: new Uint8Array(Buffer.from(user.userHandle, 'base64url')),
    userName: user.email,
    userDisplayName: user.fullName,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout,
    attestationType: 'none',
    excludeCredentials: user.passkeys.map(descriptorOf),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    supportedAlgorithmIDs: algorithms,
  });
  return passkeyCreationOptionsSchema.parse(options);
}

/** What a browser needs to use a passkey. @param passkeys those that may answer; any of the site if empty */
export async function requestOptions(
  site: RelyingParty,
  challenge: string,
  passkeys: PasskeyRow[],
): Promise<PasskeyRequestOptions> {
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout,
    userVerification: 'required',
    allowCredentials: passkeys.map(descriptorOf),
  });
  return passkeyRequestOptionsSchema.parse(options);
}

const clientDataSchema = z.object({ challenge: z.string() });

/** @returns the challenge that a browser says it answers; null if there is none */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    return clientDataSchema.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge;
  } catch {
    return null;
  }
}

/**
 * Checks a new passkey.
 * @param challenge the one that was given out
 * @returns what is stored of it; null if anything about it is wrong
 */
export async function verifyNewPasskey(
  site: RelyingParty,
  challenge: string,
  { id, rawId, type, response }: AddPasskey['credential'],
): Promise<Pick<PasskeyRow, 'credential' | 'public_key' | 'counter' | 'transports'> | null> {
  const { transports = [], ...signed } = response;
  const checked = await verifyRegistrationResponse({
    response: { id, rawId, type, response: signed, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null);
  if (!checked?.verified) return null;
  const { credential } = checked.registrationInfo;
  const public_key = Buffer.from(credential.publicKey).toString('base64url');
  return { credential: credential.id, public_key, counter: credential.counter, transports };
}

/**
 * Checks the answer of a passkey of a user, and records its use.
 * @param challenge the one that was given out
 * @returns false if anything about it is wrong, also if it was used less often than the last time: it may be a copy
 */
export async function verifyPasskey(
  { db, log }: Pick<ServerContext, 'db' | 'log'>,
  site: RelyingParty,
  challenge: string,
  user: Pick<UserRow, '_id' | 'two_factor' | 'passkey_user'>,
  { id, rawId, type, response }: PasskeyAssertion,
): Promise<boolean> {
  const passkey = user.two_factor?.passkeys?.find((each) => each.credential === id);
  if (!passkey || response.userHandle !== user.passkey_user) return false;
  const { userHandle: _, ...signed } = response;
  const checked = await verifyAuthenticationResponse({
    response: { id, rawId, type, response: signed, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    credential: {
      id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      // Compared when it is stored, so that two answers at once do not pass together.
      counter: 0,
    },
  }).catch(() => null);
  if (!checked?.verified) return false;
  const { newCounter, credentialDeviceType } = checked.authenticationInfo;
  const use = { counter: newCounter, synchronised: credentialDeviceType === 'multiDevice' };
  if (await recordPasskeyUse(db, user._id, id, use)) return true;
  const about = { seller: user._id, passkey: passkey.id, stored: passkey.counter, given: newCounter };
  log.warn(about, 'a passkey was refused: its counter did not grow, so it may be a copy');
  return false;
}
