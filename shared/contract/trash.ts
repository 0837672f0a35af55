import { z } from 'zod';
import { pageQuerySchema, visibleStateSchema } from './generations.ts';
import { pages, paths } from './paths.ts';

/* Addresses that few pages need are here: every page loads `paths`. */

/** GET a small picture of what is in the trash: a WebP. */
export const trashedPicture = (id: string) => `${paths.trashed(id)}/picture`;

/** The page of the trash. */
export const trashPage = `${pages.library}/trash`;

/** Query of `GET /api/trash`. */
export const trashQuerySchema = pageQuerySchema;

/** What is in the trash. */
export const trashedSchema = z.object({
  id: z.string(),
  state: visibleStateSchema,
  productName: z.string(),
  sku: z.string(),
  prompt: z.string(),
  /** A small picture of the image, or of the first photo of one without an image. */
  pictureUrl: z.string(),
  deletedAt: z.iso.datetime(),
  /** When it is removed for ever. */
  removedAt: z.iso.datetime(),
});
export type Trashed = z.infer<typeof trashedSchema>;

/** Reply of `GET /api/trash`. */
export const trashSchema = z.object({
  /** What was deleted last comes first. */
  images: z.array(trashedSchema),
  /** Null on the last page. */
  nextCursor: z.string().nullable(),
  /** How many there are in all; null on later pages. */
  count: z.number().int().nullable(),
  /** How much room they take, with photos that nothing else uses; null on later pages. */
  bytes: z.number().int().nullable(),
  /** How long what is deleted stays here. */
  days: z.number().int(),
  /** The moment that this is from, for `EmptyTrashQuery`. */
  at: z.iso.datetime(),
});
export type Trash = z.infer<typeof trashSchema>;

/** Query of `DELETE /api/trash`. */
export const emptyTrashQuerySchema = z.object({
  /** What was deleted later stays: whoever empties the trash has not seen it there. */
  at: z.iso.datetime(),
});

/** Reply of `DELETE /api/trash`. */
export const emptiedTrashSchema = z.object({ deleted: z.number().int() });
export type EmptiedTrash = z.infer<typeof emptiedTrashSchema>;
