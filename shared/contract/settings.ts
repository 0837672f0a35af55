import { z } from 'zod';
import { paths } from './paths.ts';
import { themes } from './themes.ts';

/** The languages whose texts are complete. */
export const languages = [{ code: 'en', name: 'English' }] as const;

/** Image qualities that a seller can choose. */
export const imageQualities = ['low', 'medium', 'high'] as const;
export type ImageQuality = (typeof imageQualities)[number];

/** Minutes without activity after which a session ends, unless the browser stays signed in; never more than the life of a token. */
export const sessionTimeouts = [5, 15, 30, 60] as const;

/** Days after which a seller is reminded of changing the password, or made to if they chose that; 0 is never. */
export const passwordExpiries = [0, 30, 60, 90, 180, 365] as const;

const oneOf = <const Values extends readonly number[]>(values: Values) => z.literal([...values]);

/** POST without a body: the password is kept although it is old. 204. */
export const keepPasswordPath = `${paths.password}/keep`;

/** A seller's settings, with their defaults. */
export const settingsSchema = z.object({
  theme: z.enum(themes).default('system'),
  language: z.enum(languages.map(({ code }) => code)).default('en'),
  /** Sent to the provider. */
  imageQuality: z.enum(imageQualities).default('high'),
  /** Master switch; the two settings below choose the channel. */
  notificationsEnabled: z.boolean().default(true),
  /** A mail when a generation has ended. */
  emailNotifications: z.boolean().default(false),
  /** A browser notification when a generation has ended while the window is hidden. */
  pushNotifications: z.boolean().default(false),
  /** A mail about each new sign-in. Changes of what protects the account are told in any case. */
  securityNotifications: z.boolean().default(true),
  /** Whether an activity log is kept; turning it off also empties it. */
  activityLogging: z.boolean().default(true),
  sessionTimeoutMinutes: oneOf(sessionTimeouts).default(30),
  passwordExpiryDays: oneOf(passwordExpiries).default(90),
  /** Whether a password that is that old must be changed at sign-in. */
  passwordChangeForced: z.boolean().default(false),
  /** Whether the browser keeps the draft of the studio's form. */
  autoSave: z.boolean().default(true),
});
export type Settings = z.infer<typeof settingsSchema>;

/** Settings that warn of a thief: turning one of them off takes the password. */
export const guardedSettings = ['securityNotifications', 'activityLogging'] as const;

/** The settings to change, each optional. */
export const settingsChangeSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(settingsSchema.shape).map(([name, field]) => [name, field.unwrap().optional()]),
  ) as {
    [Name in keyof typeof settingsSchema.shape]: z.ZodOptional<
      ReturnType<(typeof settingsSchema.shape)[Name]['unwrap']>
    >;
  },
);
export type SettingsChange = z.output<typeof settingsChangeSchema>;
