import { z } from 'zod';
import { pageQuerySchema, productNameSchema, skuSchema, visibleStateSchema } from './generations.ts';
import { limits } from './limits.ts';
import { sceneTemplates } from './templates.ts';

/** Body of `PATCH /api/generations/<id>`: at least one of the three. */
export const changeGenerationSchema = z
  .strictObject({
    /** Empty for none. */
    productName: productNameSchema.optional(),
    /** Empty for none. */
    sku: skuSchema.optional(),
    favourite: z.boolean().optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'Nothing to change: send productName, sku or favourite.',
  })
  .meta({ minProperties: 1 });
export type ChangeGeneration = z.infer<typeof changeGenerationSchema>;

/** Reply of `DELETE /api/generations/<id>`. */
export const removedGenerationSchema = z.object({
  id: z.string(),
  /** Views with this revision, or a smaller one, are from before the deletion; one that is restored has a larger one. */
  revision: z.number().int(),
});
export type RemovedGeneration = z.infer<typeof removedGenerationSchema>;

export const librarySorts = ['newest', 'oldest', 'name'] as const;
export type LibrarySort = (typeof librarySorts)[number];

/** Query of `GET /api/library`. All conditions must hold. */
export const libraryQuerySchema = pageQuerySchema.extend({
  /** Words in name, SKU or scene; each is the beginning of one. */
  q: z.string().max(limits.searchCharacters).optional(),
  /** The id of a project. */
  project: z.string().max(100).optional(),
  favourite: z.literal('true').optional(),
  state: visibleStateSchema.optional(),
  template: z.enum(sceneTemplates).optional(),
  /** Requested at this time or later, and before the other one. */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  sort: z.enum(librarySorts).default('newest'),
  /** `nextCursor` of the previous page, which had the same sort. */
  cursor: z.string().max(limits.libraryCursorCharacters).optional(),
});
export type LibraryQuery = z.output<typeof libraryQuerySchema>;
