import { z } from 'zod';
import { imageSizeNames } from './image-sizes.ts';

/** What the image model of this installation can do. */
export const imageCapabilitiesSchema = z.object({
  /** The sizes that it makes. */
  sizes: z.array(z.enum(imageSizeNames)),
  transparentBackground: z.boolean(),
  /** Whether it takes seeds: the same seed with the same request makes the same image. */
  seed: z.boolean(),
  /** Whether it can change only a marked area of an image. */
  mask: z.boolean(),
});
export type ImageCapabilities = z.infer<typeof imageCapabilitiesSchema>;
