import { z } from 'zod';
import { limits } from './limits.ts';
import { plainText } from './text.ts';

/** The name of a seller's default project until they rename it. */
export const defaultProjectName = 'Untitled Project';

export const projectNameSchema = z.string().trim().min(1).max(limits.projectNameCharacters).regex(plainText);

export const projectViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether it is the seller's default project, which cannot be deleted. */
  isDefault: z.boolean(),
  /** Finished images in it. */
  images: z.number().int(),
  /** The picture that stands for it: the one that the seller chose, else its newest image; null while it has none. */
  coverUrl: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** When an image was last added to it, or it was created or changed. */
  updatedAt: z.iso.datetime(),
});
export type ProjectView = z.infer<typeof projectViewSchema>;

/** All projects of a seller, the one that was used last first. */
export const projectListSchema = z.object({ projects: z.array(projectViewSchema) });
export type ProjectList = z.infer<typeof projectListSchema>;

/** Body of `POST /api/projects`. */
export const createProjectSchema = z.strictObject({ name: projectNameSchema });
export type CreateProject = z.input<typeof createProjectSchema>;

/** Body of `PATCH /api/projects/<id>`. */
export const changeProjectSchema = z.strictObject({
  name: projectNameSchema.optional(),
  /** A finished generation in the project; null for its newest image. */
  coverId: z.string().max(100).nullable().optional(),
});
export type ChangeProject = z.input<typeof changeProjectSchema>;

/** What becomes of the images of a deleted project: they move to the default project, or are deleted with it. */
export const projectDeletions = ['move', 'delete'] as const;
export type ProjectDeletion = (typeof projectDeletions)[number];

/** Query of `DELETE /api/projects/<id>`. */
export const deleteProjectSchema = z.strictObject({ images: z.enum(projectDeletions) });

/** Body of `POST /api/projects/<id>/images`: the generations to move there. */
export const moveImagesSchema = z.strictObject({
  ids: z.array(z.string().max(100)).min(1).max(limits.imagesMovedAtOnce),
});
export type MoveImages = z.input<typeof moveImagesSchema>;

/** Those that were moved: the seller's own that exist. */
export const movedImagesSchema = z.object({ moved: z.number().int() });
export type MovedImages = z.infer<typeof movedImagesSchema>;
