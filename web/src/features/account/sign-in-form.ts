import { z } from 'zod';
import { codeOnlySchema, newPasswordSchema, signInSchema } from '#contract';
import { withConfirmation } from '#web/lib/confirmation.ts';

/** What the server has asked for besides address and password. */
export interface SignInNeeds {
  code: boolean;
  newPassword: boolean;
}
export const nothingMore: SignInNeeds = { code: false, newPassword: false };

export interface SignInForm {
  email: string;
  password: string;
  code?: string | undefined;
  newPassword?: string | undefined;
  confirmation?: string | undefined;
}

const asTyped = z.string().optional();

/** The form's check: fields that were not asked for are left as they are. */
export function signInFormSchema(needs: SignInNeeds) {
  const schema = z.object({
    email: signInSchema.shape.email,
    password: signInSchema.shape.password,
    code: needs.code ? codeOnlySchema.shape.code : asTyped,
    newPassword: needs.newPassword ? newPasswordSchema : asTyped,
  });
  return needs.newPassword
    ? withConfirmation(schema, 'newPassword')
    : schema.extend({ confirmation: asTyped });
}

/** The request for what the form holds. */
export function signInRequest({ email, password, code, newPassword }: SignInForm, needs: SignInNeeds) {
  return { email, password, ...(needs.code && { code }), ...(needs.newPassword && { newPassword }) };
}
