import { z } from 'zod';

/** Query of `GET /api/operator/refusals`: of the last so many days. */
export const operatorRefusalQuerySchema = z.strictObject({
  days: z.enum(['7', '30']).default('7'),
});
export type OperatorRefusalDays = z.infer<typeof operatorRefusalQuerySchema>['days'];

/** Reply of `GET /api/operator/refusals`: sellers by how often moderation refused their images, those with most first. */
export const operatorRefusedSellersSchema = z.object({
  sellers: z.array(
    z.object({
      id: z.string(),
      /** Null once the account is gone. */
      email: z.string().nullable(),
      refusals: z.number().int(),
      last: z.iso.datetime(),
    }),
  ),
});
export type OperatorRefusedSellers = z.infer<typeof operatorRefusedSellersSchema>;

/** Reply of `GET /api/operator/sellers/:id/refusals`, of the last 30 days. */
export const operatorSellerRefusalsSchema = z.object({
  /** By day (UTC), what was refused and why, the newest day first. An image with two categories is in two lines. */
  days: z.array(
    z.object({
      day: z.string(),
      stage: z.enum(['input', 'output']).nullable(),
      /** In the provider's words; null if it named none. */
      category: z.string().nullable(),
      count: z.number().int(),
    }),
  ),
  /** The newest ones; each has the id of its generation. */
  refusals: z.array(
    z.object({
      id: z.string(),
      at: z.iso.datetime(),
      stage: z.enum(['input', 'output']).nullable(),
      categories: z.array(z.string()),
    }),
  ),
  /** How many there are. */
  total: z.number().int(),
});
export type OperatorSellerRefusals = z.infer<typeof operatorSellerRefusalsSchema>;

/** Body of `POST /api/operator/sellers/:id/notes`. */
export const operatorNoteSchema = z.strictObject({
  text: z
    .string({ error: 'Please enter a note.' })
    .trim()
    .min(3, { error: 'Please enter a note.' })
    .max(2_000, { error: 'At most 2,000 characters.' }),
});

/** Reply of `GET` and `POST /api/operator/sellers/:id/notes`: the newest ones, newest first. */
export const operatorNoteListSchema = z.object({
  notes: z.array(z.object({ id: z.string(), at: z.iso.datetime(), operator: z.string(), text: z.string() })),
});
export type OperatorNoteList = z.infer<typeof operatorNoteListSchema>;
