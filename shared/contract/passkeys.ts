import { z } from 'zod';
import { passwordSchema, recoveryCodesSchema, staySignedInSchema } from './accounts.ts';
import { codeSchema } from './code.ts';
import { limits } from './limits.ts';

/*
 * Passkeys (docs/decisions/0091-passkeys.md). What browsers and authenticators exchange has the names of the WebAuthn
 * standard (https://www.w3.org/TR/webauthn-3/), binary values in base64url.
 */

/** A binary value in base64url. Attestation objects are the longest. */
const bytes = (most = 4_096) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]+$/);
const transports = z.array(z.string().max(20)).max(10);

/** Browsers may send more than what is checked. */
const credential = {
  id: bytes(),
  rawId: bytes(),
  type: z.literal('public-key'),
};

/** The answer of a passkey to a challenge, as `PublicKeyCredential.toJSON` gives it. */
export const passkeyAssertionSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(),
    authenticatorData: bytes(),
    signature: bytes(),
    userHandle: bytes(200).nullish(),
  }),
});
export type PasskeyAssertion = z.input<typeof passkeyAssertionSchema>;

/** Body of `POST /api/session/passkey`. */
export const passkeySignInSchema = passkeyAssertionSchema.extend({ staySignedIn: staySignedInSchema });
export type PasskeySignIn = z.input<typeof passkeySignInSchema>;

const passkeyNameSchema = z
  .string({ error: 'Please enter a name' })
  .trim()
  .min(1, { error: 'Please enter a name' })
  .max(limits.passkeyNameCharacters, {
    error: `Please use at most ${limits.passkeyNameCharacters} characters`,
  })
  .regex(/^\P{C}+$/u, { error: 'Please enter a name' });

/** Body of `POST /api/me/passkeys/begin`: the code only where two-factor sign-in is on. */
export const beginPasskeySchema = z.strictObject({ password: passwordSchema, code: codeSchema.optional() });
export type BeginPasskey = z.input<typeof beginPasskeySchema>;

/** Body of `POST /api/me/passkeys`: the new passkey as `PublicKeyCredential.toJSON` gives it. */
export const addPasskeySchema = z.strictObject({
  /** The device's unless given. */
  name: passkeyNameSchema.optional(),
  credential: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(),
      attestationObject: bytes(32_768),
      transports: transports.optional(),
    }),
  }),
});
export type AddPasskey = z.input<typeof addPasskeySchema>;

/** Body of `PATCH /api/me/passkeys/<id>`. */
export const renamePasskeySchema = z.strictObject({ name: passkeyNameSchema });
export type RenamePasskey = z.input<typeof renamePasskeySchema>;

export const passkeyViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** Null until it is used for the first time. */
  lastUsedAt: z.iso.datetime().nullable(),
});
export type PasskeyView = z.infer<typeof passkeyViewSchema>;

/** What the account has besides its password: passkeys, the newest first, and whether there is an authenticator app. */
export const factorListSchema = z.object({ app: z.boolean(), passkeys: z.array(passkeyViewSchema) });
export type FactorList = z.infer<typeof factorListSchema>;

/** The new passkey, and recovery codes if it is the account's first second factor; none otherwise. */
export const addedPasskeySchema = recoveryCodesSchema.extend({ passkey: passkeyViewSchema });
export type AddedPasskey = z.infer<typeof addedPasskeySchema>;

/** What stands for a passkey where a code is asked for: once, for `limits.passkeyCodeSeconds`. */
export const passkeyCodeSchema = z.object({ code: z.string() });
export type PasskeyCode = z.infer<typeof passkeyCodeSchema>;

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: transports.optional(),
});

/** `PublicKeyCredentialCreationOptionsJSON`. */
export const passkeyCreationOptionsSchema = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
export type PasskeyCreationOptions = z.infer<typeof passkeyCreationOptionsSchema>;

/** `PublicKeyCredentialRequestOptionsJSON`: of a seller who is signed in with the passkeys that may answer, else of any. */
export const passkeyRequestOptionsSchema = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(descriptor),
});
export type PasskeyRequestOptions = z.infer<typeof passkeyRequestOptionsSchema>;
