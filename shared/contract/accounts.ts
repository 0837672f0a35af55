import { z } from 'zod';
import { codeSchema } from './code.ts';
import { emailSchema } from './email-address.ts';
import { clientErrors } from './errors.ts';
import { fullNameSchema } from './full-name.ts';
import { imageCapabilitiesSchema, imageProviderNames } from './image-providers.ts';
import { newPasswordSchema, signUpPasswordSchema } from './new-password.ts';
import { defaultPlan } from './plan-table.ts';
import { planIdSchema, subscriptionViewSchema } from './plans.ts';
import { settingsChangeSchema, settingsSchema } from './settings.ts';
import { themes } from './themes.ts';
import { unreachableSchema } from './unreachable.ts';

/** Body of `POST /api/accounts`. Fields are in the order in which they are checked (docs/product.md). */
export const signUpSchema = z.strictObject(
  {
    email: emailSchema,
    fullName: fullNameSchema,
    password: signUpPasswordSchema,
    plan: z
      .string({ error: 'Invalid subscription plan' })
      .trim()
      .toLowerCase()
      .pipe(planIdSchema)
      .default(defaultPlan),
    acceptTerms: z.literal(true, { error: 'You must accept the terms and conditions' }),
    /** The theme that was chosen on this device before there was an account. */
    theme: z.enum(themes).optional(),
  },
  // No object, or one with an unknown field.
  { error: 'Invalid registration data' },
);
export type SignUp = z.input<typeof signUpSchema>;

const passwordMissing = 'Email and password are required';
/** The password of an account. One that is longer than any password is a wrong one. */
export const passwordSchema = z.string({ error: passwordMissing }).min(1, { error: passwordMissing });

/** Whether the browser stays signed in for `limits.staySignedInDays` without activity. */
export const staySignedInSchema = z.boolean().optional();

/** Body of `POST /api/session`. */
export const signInSchema = z.strictObject({
  email: emailSchema,
  password: passwordSchema,
  /** Asked for by CODE_REQUIRED. */
  code: codeSchema.optional(),
  /** Asked for by PASSWORD_EXPIRED. */
  newPassword: newPasswordSchema.optional(),
  staySignedIn: staySignedInSchema,
});
export type SignIn = z.input<typeof signInSchema>;

/** Body of requests for a mail. */
export const addressOnlySchema = z.strictObject({ email: emailSchema });
export type AddressOnly = z.input<typeof addressOnlySchema>;

const [, tokenInvalid] = clientErrors.TOKEN_INVALID;
const tokenSchema = z
  .string({ error: tokenInvalid })
  .min(1, { error: tokenInvalid })
  .max(200, { error: tokenInvalid });

/** Body of requests from the page of a link in a mail, or their query. */
export const tokenOnlySchema = z.strictObject({ token: tokenSchema });
export type TokenOnly = z.input<typeof tokenOnlySchema>;

/** Reply of `POST /api/link-address`. */
export const linkAddressSchema = z.object({ email: z.string() });
export type LinkAddress = z.infer<typeof linkAddressSchema>;

/** Body of `POST /api/verify-email`: the password only in a different browser than the one that signed up. */
export const verifyEmailSchema = tokenOnlySchema.extend({ password: passwordSchema.optional() });
export type VerifyEmail = z.input<typeof verifyEmailSchema>;

/** Body of `POST /api/confirm-email`: the code only where two-factor sign-in is on. */
export const confirmEmailSchema = tokenOnlySchema.extend({
  password: passwordSchema,
  code: codeSchema.optional(),
});
export type ConfirmEmail = z.input<typeof confirmEmailSchema>;

/** Body of `POST /api/password-reset/confirm` and of `POST /api/undo-email`. */
export const setPasswordSchema = tokenOnlySchema.extend({ password: newPasswordSchema });
export type SetPassword = z.input<typeof setPasswordSchema>;

/** Body of `PATCH /api/me`. */
export const changeNameSchema = z.strictObject({ fullName: fullNameSchema });
export type ChangeName = z.input<typeof changeNameSchema>;

/** Body of `POST /api/me/password`. */
export const changePasswordSchema = z.strictObject({
  password: passwordSchema,
  newPassword: newPasswordSchema,
});
export type ChangePassword = z.input<typeof changePasswordSchema>;

/** Body of `POST /api/me/email`: the code only where two-factor sign-in is on. */
export const changeEmailSchema = z.strictObject({
  email: emailSchema,
  password: passwordSchema,
  code: codeSchema.optional(),
});
export type ChangeEmail = z.input<typeof changeEmailSchema>;

/** Body of requests that need only the password. */
export const passwordOnlySchema = z.strictObject({ password: passwordSchema });
export type PasswordOnly = z.input<typeof passwordOnlySchema>;

/** Body of `PATCH /api/me/settings`: the settings to change, with the password to turn off one of `guardedSettings`. */
export const changeSettingsSchema = settingsChangeSchema.extend({ password: passwordSchema.optional() });
export type ChangeSettings = z.input<typeof changeSettingsSchema>;

/** Body of `POST /api/me/confirmation`: one of the two. */
export const confirmationSchema = z.union([
  z.strictObject({ password: passwordSchema }),
  z.strictObject({ code: codeSchema }),
]);
export type Confirmation = z.input<typeof confirmationSchema>;

export const codeOnlySchema = z.strictObject({ code: codeSchema });
export type CodeOnly = z.input<typeof codeOnlySchema>;

/** Body of `DELETE /api/me/two-factor` and of `POST /api/me/two-factor/recovery-codes`. */
export const passwordAndCodeSchema = passwordOnlySchema.extend({ code: codeSchema });
export type PasswordAndCode = z.input<typeof passwordAndCodeSchema>;

/** Body of `POST /api/me/two-factor`: the code only where a passkey has turned two-factor sign-in on. */
export const beginTwoFactorSchema = passwordOnlySchema.extend({ code: codeSchema.optional() });
export type BeginTwoFactor = z.input<typeof beginTwoFactorSchema>;

/** Body of `POST /api/me/deletion`: the code only where two-factor sign-in is on. */
export const deleteAccountSchema = passwordOnlySchema.extend({ code: codeSchema.optional() });
export type DeleteAccount = z.input<typeof deleteAccountSchema>;

/** What an authenticator app needs, shown once. */
export const twoFactorSetupSchema = z.object({
  /** Base32. */
  secret: z.string(),
  /** `otpauth://totp/…`, for a QR code. */
  uri: z.string(),
});
export type TwoFactorSetup = z.infer<typeof twoFactorSetupSchema>;

/** Each works once instead of a code; shown once. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>;

export const sessionViewSchema = z.object({
  id: z.string(),
  /** Browser and operating system, such as "Firefox on Windows". */
  device: z.string(),
  address: z.string(),
  startedAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  /** Whether its browser stays signed in. Servers of the last release do not send it, nor the next one. */
  staysSignedIn: z.boolean().default(false),
  /** Minutes without activity after which it ends. */
  idleMinutes: z.number().int().optional(),
  /** Whether it is the session of this request. */
  current: z.boolean(),
});
export type SessionView = z.infer<typeof sessionViewSchema>;
export const sessionListSchema = z.object({ sessions: z.array(sessionViewSchema) });
export type SessionList = z.infer<typeof sessionListSchema>;

/** What the activity log records, unless the seller turned it off. */
export const activityKinds = [
  'signed-up',
  'signed-in',
  'sign-in-failed',
  'signed-out',
  'signed-out-everywhere',
  'locked-out',
  'unlocked',
  'name-changed',
  'password-changed',
  'password-reset',
  'email-change-asked',
  'email-changed',
  'email-change-undone',
  'two-factor-on',
  'two-factor-off',
  'recovery-code-used',
  'recovery-codes-made',
  'passkey-added',
  'passkey-removed',
  'api-key-made',
  'api-key-revoked',
  'webhook-made',
  'settings-changed',
  'data-exported',
  'plan-changed',
] as const;
export type ActivityKind = (typeof activityKinds)[number];
export const activityViewSchema = z.object({
  id: z.string(),
  kind: z.enum(activityKinds),
  /** Kinds that pages of the release before do not know, which get another `kind` (docs/decisions/0081-releases.md). */
  newKind: z.string().optional(),
  device: z.string(),
  address: z.string(),
  at: z.iso.datetime(),
});
export type ActivityView = z.infer<typeof activityViewSchema>;
export const activityListSchema = z.object({ activities: z.array(activityViewSchema) });
export type ActivityList = z.infer<typeof activityListSchema>;

export const userViewSchema = z.object({
  id: z.string(),
  email: z.string(),
  fullName: z.string(),
  /** Full name, else the part of the address before the @, else 'User'. */
  displayName: z.string(),
  memberSince: z.iso.datetime(),
  twoFactorEnabled: z.boolean(),
  /** Whether the account may use the operator's pages. */
  operator: z.boolean(),
  /** Set while mail to the address comes back. Servers of the last release do not send it. */
  emailUnreachable: unreachableSchema.nullable().default(null),
});
export type UserView = z.infer<typeof userViewSchema>;

/** Reply of `GET /api/me`. */
export const meSchema = z.object({
  user: userViewSchema,
  subscription: subscriptionViewSchema,
  settings: settingsSchema,
  /** At most `limits.notificationsCounted` are counted. */
  unreadNotifications: z.number().int(),
  /** Whether the password is as old as the seller wants to be reminded of. Servers of the last release do not send it. */
  passwordDue: z.boolean().default(false),
  /** Who makes the images: `openai`, or `local` for the local renderer. */
  imageProvider: z.enum(imageProviderNames),
  imageCapabilities: imageCapabilitiesSchema,
});
export type Me = z.infer<typeof meSchema>;

/** Reply of sign-in, which also sets the cookie; programs send the token as a bearer header. */
export const sessionReplySchema = meSchema.extend({ token: z.string(), expiresAt: z.iso.datetime() });
export type SessionReply = z.infer<typeof sessionReplySchema>;
