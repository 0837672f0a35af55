import { z } from 'zod';
import { cutoutWarnings } from './photo-check.ts';
import { checkPhotoSchema } from './photo-checks.ts';
import type { SceneId } from './scene-library.ts';

/** The scenes in which a visitor sees a product. */
export const sketchScenes = [
  'summer-terrace',
  'modern-kitchen',
  'dark-luxury',
] as const satisfies readonly SceneId[];
export type SketchScene = (typeof sketchScenes)[number];

/**
 * Side of a sketch in pixels. How many visitors may wait for theirs on one server, in all and of one network; how long one may
 * wait, and take, in seconds.
 */
export const sketchLimits = {
  side: 512,
  waiting: 8,
  waitingOfNetwork: 2,
  waitSeconds: 10,
  seconds: 30,
} as const;

/** Body of `POST /api/sketches`: a small copy of a visitor's photo. */
export const drawSketchesSchema = checkPhotoSchema.pick({ photo: true });

/** The product in each scene, with a watermark; none if it cannot be cut out, and then why in the warnings. */
export const drawnSketchesSchema = z.object({
  sketches: z.array(
    z.object({ scene: z.enum(sketchScenes), picture: z.base64().describe('A WebP, as base64.') }),
  ),
  warnings: z.array(z.enum(cutoutWarnings)),
});
export type DrawnSketches = z.infer<typeof drawnSketchesSchema>;
