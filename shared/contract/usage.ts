import { z } from 'zod';

/*
 * Which images a seller used, for the page in Account Settings. The query is that of programs (`v1UsageQuerySchema`). Not part
 * of `paths`, which every page loads.
 */

export const usagePaths = {
  /** GET, query `V1UsageQuery`: 200 `Usage`. */
  usage: '/api/me/usage',
  /** GET, query `V1UsageQuery`: the same as CSV. */
  csv: '/api/me/usage/csv',
} as const;

export const usageSchema = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** Images by the day (UTC) on which they were asked for, their project, and the API key that asked, null in the studio. */
  lines: z.array(
    z.object({
      date: z.iso.date(),
      projectId: z.string(),
      keyId: z.string().nullable(),
      images: z.number().int(),
    }),
  ),
  /** The projects of the lines; `name` is null of one that is being deleted. */
  projects: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
  /** The API keys of the lines, also those that were revoked since. */
  keys: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type Usage = z.infer<typeof usageSchema>;
