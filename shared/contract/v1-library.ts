import { z } from 'zod';
import { imageOptionsSchema } from './generation-options.ts';
import { changeGenerationSchema } from './library.ts';
import { createProjectSchema } from './projects.ts';

/* Version 1 of the API for programs: the library, projects and looks. As v1.ts says, it stays as it is. */

export const v1LibraryPaths = {
  /** POST: 200 `V1Generation`. */
  restore: (id: string) => `/api/v1/generations/${id}/restore`,
  /** GET: 200 `V1ProjectList`. POST: body `V1CreateProject`, 201 `V1Project`. */
  projects: '/api/v1/projects',
  /** GET: 200 `V1LookList`. */
  looks: '/api/v1/looks',
} as const;

/** Body of `PATCH /api/v1/generations/<id>`: at least one of the fields. */
export const v1UpdateRequestSchema = changeGenerationSchema.safeExtend({});

/** Body of `POST /api/v1/projects`. */
export const v1CreateProjectSchema = createProjectSchema.extend({});

export const v1ProjectSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether images are added to it for which no other project is named. */
  isDefault: z.boolean(),
  /** Finished images in it. */
  images: z.number().int(),
  createdAt: z.iso.datetime(),
});
export type V1Project = z.infer<typeof v1ProjectSchema>;

/** All projects, the one that was used last first. */
export const v1ProjectListSchema = z.object({ projects: z.array(v1ProjectSchema) });
export type V1ProjectList = z.infer<typeof v1ProjectListSchema>;

export const v1LookSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Fields of a request for images: with `photos` it is a `V1CreateRequest`. */
  request: imageOptionsSchema.extend({ prompt: z.string(), numImages: z.number().int() }),
  /** The presets that its images are exported in. */
  exportPresets: z.array(z.string()),
});
export type V1Look = z.infer<typeof v1LookSchema>;

/** All looks, the one that was changed last first. */
export const v1LookListSchema = z.object({ looks: z.array(v1LookSchema) });
export type V1LookList = z.infer<typeof v1LookListSchema>;
