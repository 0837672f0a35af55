import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import { z } from 'zod';
import { codeOnlySchema, newPasswordSchema, type SecondFactor, signInSchema } from '#contract';
import { ApiError } from '#web/lib/api.ts';
import { startSession } from '#web/lib/session.ts';
import { useFormMutation } from '#web/lib/use-form-mutation.ts';
import { withConfirmation } from '#web/lib/with-confirmation.ts';
import { isPasskeyCode } from '#web/ui/passkey-button.tsx';
import { signIn } from './session-api.ts';

/** The fields that the server has required in addition to email and password. */
interface ExtraFields {
  code: boolean;
  newPassword: boolean;
}
export const noExtraFields: ExtraFields = { code: false, newPassword: false };

interface SignInValues {
  email: string;
  password: string;
  code?: string | undefined;
  newPassword?: string | undefined;
  staySignedIn?: boolean | undefined;
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
    staySignedIn: signInSchema.shape.staySignedIn,
  });
  return required.newPassword
    ? withConfirmation(schema, 'newPassword')
    : schema.extend({ confirmation: unchecked });
}

/** The body of the request. */
export function signInRequest(
  { email, password, code, newPassword, staySignedIn = false }: SignInValues,
  required: ExtraFields,
) {
  return {
    email,
    password,
    ...(required.code && { code }),
    ...(required.newPassword && { newPassword }),
    ...(staySignedIn && { staySignedIn }),
  };
}

/**
 * The sign-in form. When the server requires a code or a new password, the field is added and focused.
 * @returns `factors`: what the account has besides its password, once a code is required; `onEmailChange`: removes these fields, which another account may not need
 */
export function useSignInForm() {
  const client = useQueryClient();
  const [required, setRequired] = useState(noExtraFields);
  const [factors, setFactors] = useState<readonly SecondFactor[]>([]);
  const form = useForm<SignInValues>({
    resolver: zodResolver(signInFormSchema(required)) as Resolver<SignInValues>,
    defaultValues: {
      email: '',
      password: '',
      code: '',
      newPassword: '',
      staySignedIn: false,
      confirmation: '',
    },
  });
  const mutation = useFormMutation(form, (values) => signIn(signInRequest(values, required)), {
    fields: { CODE_INVALID: 'code', PASSWORD_COMMON: 'newPassword', PASSWORD_REUSED: 'newPassword' },
    withoutCode: 'Failed to sign in. Please check your credentials.',
    onSuccess: (reply) => startSession(client, reply),
    onError: (failure) => {
      const code = failure instanceof ApiError ? failure.code : null;
      if (isPasskeyCode(form.getValues('code'))) form.setValue('code', '');
      if (code === 'CODE_REQUIRED') {
        setRequired({ ...required, code: true });
        setFactors((failure as ApiError).factors);
      } else if (code === 'PASSWORD_EXPIRED') setRequired({ ...required, newPassword: true });
      else if (code === 'BAD_CREDENTIALS') form.setFocus('password');
    },
  });
  const { setFocus } = form;
  useEffect(() => {
    if (required.newPassword) setFocus('newPassword');
    else if (required.code) setFocus('code');
  }, [required, setFocus]);

  const onEmailChange = () => {
    if (required === noExtraFields) return;
    setRequired(noExtraFields);
    mutation.clearError();
  };
  /** Sends the form with the code that a passkey gave. */
  const submitPasskeyCode = (code: string) => {
    form.setValue('code', code);
    mutation.submit();
  };
  return { form, required, factors, onEmailChange, submitPasskeyCode, ...mutation };
}
