import type { ComponentProps } from 'react';
import { limits, passwordRulesAttribute } from '#contract';
import { PasswordField } from './password-field.tsx';
import { StrengthMeter } from './strength-meter.tsx';

/** An attribute that React passes on and its types do not know. */
const rules = { passwordrules: passwordRulesAttribute };

interface NewPasswordFieldsProps {
  /** The value so far, for the strength meter. */
  password: string;
  passwordInput: ComponentProps<'input'>;
  confirmationInput: ComponentProps<'input'>;
  passwordError: string | undefined;
  confirmationError: string | undefined;
  /** `Password` on the sign-up page. */
  label?: string;
}

/** A new password with its strength meter, and its confirmation. */
export function NewPasswordFields({
  password,
  passwordInput,
  confirmationInput,
  passwordError,
  confirmationError,
  label = 'New password',
}: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label={label}
        autoComplete="new-password"
        required
        minLength={limits.passwordCharacters}
        error={passwordError}
        hint={<StrengthMeter password={password} />}
        {...rules}
        {...passwordInput}
      />
      <PasswordField
        label={`Confirm ${label.toLowerCase()}`}
        autoComplete="new-password"
        required
        error={confirmationError}
        {...rules}
        {...confirmationInput}
      />
    </>
  );
}
