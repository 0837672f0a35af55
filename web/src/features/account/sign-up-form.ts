import { z } from 'zod';
import { signUpSchema } from '#contract';

const mismatch = 'Passwords do not match';

/** The contract's sign-up with what only the form asks: the password a second time. */
export const signUpFormSchema = z
  .object({
    email: signUpSchema.shape.email,
    fullName: signUpSchema.shape.fullName,
    password: signUpSchema.shape.password,
    confirmation: z.string(),
    plan: signUpSchema.shape.plan,
    acceptTerms: z
      .boolean()
      .refine((accepted) => accepted, { error: 'You must accept the terms and conditions' }),
  })
  .refine(({ password, confirmation }) => password === confirmation, {
    error: mismatch,
    path: ['confirmation'],
    // Said together with the other errors, not only once they are mended.
    when: ({ value }) => typeof value === 'object' && value !== null,
  });
export type SignUpForm = z.input<typeof signUpFormSchema>;

/** The order in which the fields are checked (docs/product.md); the first with an error gets the focus. */
export const checkedInOrder = ['email', 'fullName', 'password', 'confirmation', 'acceptTerms'] as const;
