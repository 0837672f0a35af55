import { z } from 'zod';
import { limits } from './limits.ts';

const coordinate = z.number().min(-limits.markCoordinate).max(limits.markCoordinate);
const length = z.number().min(1).max(limits.markCoordinate);

/** What a seller marked in an image: a stroke of the brush, or a rectangle. In pixels of the image, from its top left. */
export const markSchema = z.discriminatedUnion('kind', [
  /** A line through points with round ends; a single point is a dot. */
  z.strictObject({
    kind: z.literal('stroke'),
    /** How wide the line is; the diameter of a dot. */
    width: z.number().min(1).max(limits.imageSide),
    points: z
      .array(z.strictObject({ x: coordinate, y: coordinate }))
      .min(1)
      .max(limits.markPoints),
  }),
  z.strictObject({
    kind: z.literal('rectangle'),
    left: coordinate,
    top: coordinate,
    width: length,
    height: length,
  }),
]);
export type Mark = z.infer<typeof markSchema>;

/** How many points marks have together; a rectangle counts as one. */
export function pointsOf(marks: readonly Mark[]): number {
  return marks.reduce((sum, mark) => sum + (mark.kind === 'stroke' ? mark.points.length : 1), 0);
}

/** The message for more points than a change may have. */
export const tooManyPoints = `Please mark the area with at most ${limits.markPoints.toLocaleString('en-US')} points.`;

/** What a seller marked in an image. */
export const marksSchema = z
  .array(markSchema)
  .min(1)
  .max(limits.markPoints, { error: tooManyPoints })
  .refine((marks) => pointsOf(marks) <= limits.markPoints, { error: tooManyPoints });
