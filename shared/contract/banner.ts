import { z } from 'zod';

/** What sellers read on every page, such as about a maintenance. */
export const bannerSchema = z.object({
  text: z.string(),
  until: z.iso.datetime().nullable(),
  /** From when, until `until`, no new images are accepted; null for never. */
  closedFrom: z.iso.datetime().nullable(),
  /** `until` while none are accepted; null if they are. */
  closedUntil: z.iso.datetime().nullable(),
});
export type Banner = z.infer<typeof bannerSchema>;
