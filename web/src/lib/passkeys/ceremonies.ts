import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import {
  type AddedPasskey,
  addedPasskeySchema,
  type BeginPasskey,
  type PasskeyCreationOptions,
  passkeyCodeSchema,
  passkeyCreationOptionsSchema,
  passkeyRequestOptionsSchema,
  paths,
  type SessionReply,
  sessionReplySchema,
} from '#contract';
import { ApiError, callApi } from '#web/lib/api.ts';
import { expectCookie } from '#web/lib/session.ts';

/*
 * What the browser asks of whoever is in front of it, between two requests. Each function throws an ApiError, with
 * PASSKEY_STOPPED if the browser's window was closed or no passkey answered.
 */

/** Signs in with a passkey; the server sets the session cookie. @param staySignedIn whether this browser stays signed in */
export async function signInWithPasskey(staySignedIn: boolean): Promise<SessionReply> {
  const body = { ...(await use()), ...(staySignedIn && { staySignedIn }) };
  const session = await callApi('POST', paths.passkeySession, sessionReplySchema, { body });
  await expectCookie();
  return session;
}

/** @returns what stands for a passkey where a code is asked for, once */
export async function codeOfPasskey(): Promise<string> {
  return (await callApi('POST', paths.passkeyCode, passkeyCodeSchema, { body: await use() })).code;
}

/** Asks for the permission to add a passkey. @returns what `addPasskey` needs */
export function beginPasskey(body: BeginPasskey): Promise<PasskeyCreationOptions> {
  return callApi('POST', paths.beginPasskey, passkeyCreationOptionsSchema, { body });
}

/** Has the browser make a passkey, and adds it to the account. @param name the device's if empty */
export async function addPasskey(optionsJSON: PasskeyCreationOptions, name: string): Promise<AddedPasskey> {
  const { id, rawId, response } = await startRegistration({ optionsJSON }).catch(stopped);
  const { clientDataJSON, attestationObject, transports } = response;
  const made = { clientDataJSON, attestationObject, ...(transports && { transports }) };
  const credential = { id, rawId, type: 'public-key', response: made };
  return callApi('POST', paths.passkeys, addedPasskeySchema, {
    body: { credential, ...(name.trim() !== '' && { name }) },
  });
}

async function use() {
  const optionsJSON = await callApi('POST', paths.passkeyChallenge, passkeyRequestOptionsSchema);
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON }).catch(stopped);
  return { id, rawId, type, response };
}

/** @throws ApiError for what browsers throw */
function stopped(error: unknown): never {
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') {
    throw new ApiError('PASSKEY_STOPPED', 'This device already has a passkey for your account.');
  }
  throw new ApiError('PASSKEY_STOPPED', 'No passkey was used. Try again, or use another way.');
}
