import { z } from 'zod';

/** Adds the field `confirmation` to a form's schema: the new password typed a second time. */
export function withConfirmation<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  passwordField: keyof Shape & string,
) {
  return z.object({ ...schema.shape, confirmation: z.string() }).refine(
    (values) => {
      const entered = values as Record<string, unknown>;
      return entered[passwordField] === entered.confirmation;
    },
    {
      error: 'Passwords do not match',
      path: ['confirmation'],
      // Checked even if other fields are invalid, so that all errors are shown together.
      when: ({ value }) => typeof value === 'object' && value !== null,
    },
  );
}
