import { z } from 'zod';
import { limits } from './limits.ts';
import { planIdSchema, subscriptionViewSchema } from './plans.ts';

/** An address, trimmed and in lower case, as it is stored and compared. */
export const emailSchema = z
  .string({ error: 'Please enter a valid email address' })
  .trim()
  .toLowerCase()
  .max(limits.emailCharacters, { error: 'Please enter a valid email address' })
  .pipe(z.email({ error: 'Please enter a valid email address' }));

/** Letters of any script with their accents, spaces, apostrophes and hyphens (seed §5). */
export const fullNameSchema = z
  .string({ error: 'Please enter a valid name' })
  .trim()
  .min(2, { error: 'Please enter a valid name' })
  .max(limits.nameCharacters, { error: 'Please enter a valid name' })
  .regex(/^[\p{L}\p{M}][\p{L}\p{M} '’-]*$/u, { error: 'Please enter a valid name' });

/** The four criteria of the strength meter (seed §5), in the order they are shown. */
export const passwordCriteria: readonly { label: string; met: (password: string) => boolean }[] = [
  { label: 'At least 8 characters', met: (password) => password.length >= limits.passwordCharacters },
  { label: 'An uppercase letter', met: (password) => /\p{Lu}/u.test(password) },
  { label: 'A number', met: (password) => /\d/.test(password) },
  { label: 'A special character', met: (password) => /[^\p{L}\p{N}]/u.test(password) },
];

const passwordWeak = 'Password does not meet security requirements';
export const newPasswordSchema = z
  .string({ error: passwordWeak })
  .max(limits.passwordCharactersMost, { error: passwordWeak })
  .refine(
    (password) => passwordCriteria.every((criterion) => criterion.met(password)) && /\p{Ll}/u.test(password),
    { error: passwordWeak },
  );

/** Body of `POST /api/accounts`. Fields stand in the order in which the seed checks them. */
export const signUpSchema = z.strictObject({
  email: emailSchema,
  fullName: fullNameSchema,
  password: newPasswordSchema,
  plan: z.string().trim().toLowerCase().pipe(planIdSchema).default('freelance'),
  acceptTerms: z.literal(true, { error: 'You must accept the terms and conditions' }),
});
export type SignUp = z.input<typeof signUpSchema>;

/** Body of `POST /api/session`. */
export const signInSchema = z.strictObject({
  email: emailSchema,
  password: z
    .string({ error: 'Email and password are required' })
    .min(1, { error: 'Email and password are required' })
    .max(limits.passwordCharactersMost, { error: 'Email and password are required' }),
});
export type SignIn = z.input<typeof signInSchema>;

export const userViewSchema = z.object({
  id: z.string(),
  email: z.string(),
  fullName: z.string(),
  /** Full name, else the part of the address before the @, else 'User' (seed §2). */
  displayName: z.string(),
  memberSince: z.iso.datetime(),
});
export type UserView = z.infer<typeof userViewSchema>;

/** Reply of `GET /api/me`. */
export const meSchema = z.object({
  user: userViewSchema,
  subscription: subscriptionViewSchema,
  /** Who makes the images: `openai`, or `local` for the renderer that stands in without a key. */
  imageProvider: z.enum(['openai', 'local']),
});
export type Me = z.infer<typeof meSchema>;

/** Reply of sign-up and sign-in: the cookie is set as well; programs send the token as a bearer header. */
export const sessionReplySchema = meSchema.extend({ token: z.string(), expiresAt: z.iso.datetime() });
export type SessionReply = z.infer<typeof sessionReplySchema>;
