import { z } from 'zod';

/** Why no mail goes to an address: it came back, or its owner reported it as spam. */
export const unreachableKinds = ['bounce', 'complaint'] as const;
export const unreachableSchema = z.object({
  kind: z.enum(unreachableKinds),
  /** What the mail server of the address said. */
  reason: z.string(),
  since: z.iso.datetime(),
});
export type Unreachable = z.infer<typeof unreachableSchema>;
