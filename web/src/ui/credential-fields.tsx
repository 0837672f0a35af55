import type { ComponentProps } from 'react';
import type { FailureCode } from '#web/lib/api.ts';
import { CodeField } from './code-field.tsx';
import { PasswordField } from './password-field.tsx';
import { UsernameField } from './username-field.tsx';

interface CredentialFieldsProps {
  /** The address of the account, for password managers. */
  username: string;
  label?: string;
  passwordInput: ComponentProps<'input'>;
  passwordError: string | undefined;
  /** Undefined unless a code is required. */
  codeInput?: ComponentProps<'input'> | undefined;
  codeError?: string | undefined;
  /** False for an account without an authenticator app. */
  hasApp?: boolean | undefined;
}

/** The field that each error code about credentials belongs to, for `useFormMutation`. */
export function credentialErrorFields(withCode: boolean): Partial<Record<FailureCode, 'password' | 'code'>> {
  return { WRONG_PASSWORD: 'password', ...(withCode && { CODE_REQUIRED: 'code', CODE_INVALID: 'code' }) };
}

/** The current password and, if required, a two-factor code. */
export function CredentialFields(props: CredentialFieldsProps) {
  const { username, label = 'Password', passwordInput, passwordError, codeInput, codeError, hasApp } = props;
  return (
    <>
      <UsernameField email={username} />
      <PasswordField
        label={label}
        autoComplete="current-password"
        required
        error={passwordError}
        {...passwordInput}
      />
      {codeInput && <CodeField recoveryOnly={hasApp === false} error={codeError} {...codeInput} />}
    </>
  );
}
