import { z } from 'zod';
import { passwordSchema } from './accounts.ts';
import { codeSchema } from './code.ts';
import { limits } from './limits.ts';

/*
 * API keys: how programs call the API below `/api/v1` (docs/decisions/0134-a-caller-has-a-principal.md). Not part of `paths`, which every page
 * loads.
 */

export const apiKeyPaths = {
  /** GET: 200 `ApiKeyList`. POST: body `CreateApiKey`, 201 `CreatedApiKey`. */
  apiKeys: '/api/me/api-keys',
  /** DELETE revokes: 204. */
  apiKey: (id: string) => `/api/me/api-keys/${id}`,
} as const;

/** What a key may do, and how it is said in words. */
export const apiScopes = {
  'generations:read': 'See images and their state, and download them',
  'generations:write': 'Make and stop images, which uses images of the plan; a test key uses none',
  'exports:read': 'Download images as marketplaces want them',
  'library:write': 'Rename, mark, edit, delete and restore images, and make projects',
  'usage:read': 'See how many images are left and were used',
  'webhooks:write': 'Manage webhooks, and read what they were sent',
} as const;
export type ApiScope = keyof typeof apiScopes;
const scopeNames = Object.keys(apiScopes) as [ApiScope, ...ApiScope[]];

/** How keys begin: what finds keys in public places looks for it. Test keys work in the sandbox and nowhere else. */
export const apiKeyPrefixes = { live: 'pk_live_', test: 'pk_test_' } as const;
export type ApiKeyMode = keyof typeof apiKeyPrefixes;
export const apiKeyModes = ['live', 'test'] as const satisfies readonly ApiKeyMode[];

/** How long a key may be asked to work, in days; null for without an end. */
export const apiKeyLives = [30, 90, 365, null] as const;

const networkSchema = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'Please enter an IP address, such as 203.0.113.7, or a network, such as 203.0.113.0/24',
});

/** Body of `POST /api/me/api-keys`: the code only where two-factor sign-in is on. */
export const createApiKeySchema = z.strictObject({
  password: passwordSchema,
  code: codeSchema.optional(),
  name: z
    .string({ error: 'Please enter a name' })
    .trim()
    .min(1, { error: 'Please enter a name' })
    .max(limits.apiKeyNameCharacters, {
      error: `Please use at most ${limits.apiKeyNameCharacters} characters`,
    })
    .regex(/^\P{C}+$/u, { error: 'Please enter a name' }),
  /** `test`: a key of the sandbox, whose images cost nothing and have a watermark. */
  mode: z.enum(apiKeyModes).default('live'),
  scopes: z.array(z.enum(scopeNames)).min(1, { error: 'Please choose at least one' }).max(scopeNames.length),
  /** Days until it stops working. */
  days: z.union(apiKeyLives.map((days) => z.literal(days))).default(null),
  /** The networks from which it may be used: IP addresses, or networks such as `203.0.113.0/24`. None: from anywhere. */
  networks: z.array(networkSchema).max(limits.apiKeyNetworks).default([]),
});
export type CreateApiKey = z.input<typeof createApiKeySchema>;

export const apiKeyViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  mode: z.enum(apiKeyModes),
  /** Its last characters, to tell it from others. */
  hint: z.string(),
  scopes: z.array(z.enum(scopeNames)),
  networks: z.array(z.string()),
  createdAt: z.iso.datetime(),
  /** Null for without an end. */
  expiresAt: z.iso.datetime().nullable(),
  /** Up to a minute old; null until it is used for the first time. */
  lastUsedAt: z.iso.datetime().nullable(),
});
export type ApiKeyView = z.infer<typeof apiKeyViewSchema>;

export const apiKeyListSchema = z.object({ apiKeys: z.array(apiKeyViewSchema) });
export type ApiKeyList = z.infer<typeof apiKeyListSchema>;

/** A new key: `key` is shown only here. */
export const createdApiKeySchema = z.object({ key: z.string(), apiKey: apiKeyViewSchema });
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;
