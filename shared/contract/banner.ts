import { z } from 'zod';

/** What sellers read on every page, such as about a maintenance. */
export const bannerSchema = z.object({
  text: z.string(),
  until: z.iso.datetime().nullable(),
  /** From when, until `until`, no new images are accepted; null for never. */
  closedFrom: z.iso.datetime().nullable(),
});
export type Banner = z.infer<typeof bannerSchema>;

/** @returns until when no new images are accepted, in ISO 8601; null if they are */
export function closedUntil(banner: Banner | null, now: Date): string | null {
  if (!banner?.closedFrom || !banner.until) return null;
  return new Date(banner.closedFrom) <= now && now < new Date(banner.until) ? banner.until : null;
}
