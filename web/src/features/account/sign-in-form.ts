import { z } from 'zod';
import { codeOnlySchema, newPasswordSchema, signInSchema } from '#contract';
import { withConfirmation } from '#web/lib/with-confirmation.ts';

/** The fields that the server has required in addition to email and password. */
interface ExtraFields {
  code: boolean;
  newPassword: boolean;
}
export const noExtraFields: ExtraFields = { code: false, newPassword: false };

export interface SignInValues {
  email: string;
  password: string;
  code?: string | undefined;
  newPassword?: string | undefined;
  confirmation?: string | undefined;
}

const unchecked = z.string().optional();

/** The form's schema; fields that are not required are not checked. */
export function signInFormSchema(required: ExtraFields) {
  const schema = z.object({
    email: signInSchema.shape.email,
    password: signInSchema.shape.password,
    code: required.code ? codeOnlySchema.shape.code : unchecked,
    newPassword: required.newPassword ? newPasswordSchema : unchecked,
  });
  return required.newPassword
    ? withConfirmation(schema, 'newPassword')
    : schema.extend({ confirmation: unchecked });
}

/** The body of the request. */
export function signInRequest({ email, password, code, newPassword }: SignInValues, required: ExtraFields) {
  return { email, password, ...(required.code && { code }), ...(required.newPassword && { newPassword }) };
}
