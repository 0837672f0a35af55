import { z } from 'zod';

/** Shown when a password and its confirmation differ. */
export const passwordsDiffer = 'Passwords do not match';

/** Adds what only a form asks: the new password a second time, in `confirmation`. */
export function withConfirmation<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  field: keyof Shape & string,
) {
  return z.object({ ...schema.shape, confirmation: z.string() }).refine(
    (values) => {
      const given = values as Record<string, unknown>;
      return given[field] === given.confirmation;
    },
    {
      error: passwordsDiffer,
      path: ['confirmation'],
      // Said together with the other errors, not only once they are mended.
      when: ({ value }) => typeof value === 'object' && value !== null,
    },
  );
}
