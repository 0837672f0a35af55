import { z } from 'zod';
import { signUpSchema } from '#contract';
import { withConfirmation } from '#web/lib/with-confirmation.ts';

/** The contract's sign-up with the password's confirmation and the checkbox. */
export const signUpFormSchema = withConfirmation(
  z.object({
    email: signUpSchema.shape.email,
    fullName: signUpSchema.shape.fullName,
    password: signUpSchema.shape.password,
    plan: signUpSchema.shape.plan,
    acceptTerms: z
      .boolean()
      .refine((accepted) => accepted, { error: 'You must accept the terms and conditions' }),
  }),
  'password',
);
export type SignUpValues = z.input<typeof signUpFormSchema>;

/** The order in which the fields are checked (docs/product.md); the first with an error gets the focus. */
export const fieldOrder = ['email', 'fullName', 'password', 'confirmation', 'acceptTerms'] as const;
