import { z } from 'zod';

/** What sellers read on every page, such as about a maintenance. */
export const bannerSchema = z.object({ text: z.string(), until: z.iso.datetime().nullable() });
export type Banner = z.infer<typeof bannerSchema>;
