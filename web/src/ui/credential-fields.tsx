import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { FailureCode } from '#web/lib/api.ts';
import type { RegisteredField } from '#web/lib/use-form-mutation.ts';
import { textLinkClass } from './button.tsx';
import { Field, type FieldProps } from './field.tsx';

interface CredentialFieldsProps {
  /** The address of the account, for password managers. */
  username: string;
  label?: string;
  /** What `registerField` returns. */
  password: RegisteredField;
  /** Undefined unless a code is required. */
  code?: RegisteredField | undefined;
  /** False for an account without an authenticator app. */
  hasApp?: boolean | undefined;
}

/** The field that each error code about credentials belongs to, for `useFormMutation`. */
export function credentialErrorFields(withCode: boolean): Partial<Record<FailureCode, 'password' | 'code'>> {
  return { WRONG_PASSWORD: 'password', ...(withCode && { CODE_REQUIRED: 'code', CODE_INVALID: 'code' }) };
}

/** The current password and, if required, a two-factor code. */
export function CredentialFields(props: CredentialFieldsProps) {
  const { username, label = 'Password', password, code, hasApp } = props;
  return (
    <>
      <UsernameField email={username} />
      <PasswordField label={label} autoComplete="current-password" required {...password} />
      {code && <CodeField recoveryOnly={hasApp === false} {...code} />}
    </>
  );
}

/**
 * The address of the account, for password managers: they keep a password under the user name that is in the same form. People
 * neither see it nor reach it.
 */
export function UsernameField({ email }: { email: string }) {
  return (
    <input
      type="email"
      autoComplete="username"
      value={email}
      readOnly
      tabIndex={-1}
      aria-hidden
      className="sr-only"
    />
  );
}

/** A password field with a button that shows and hides the password. */
export function PasswordField(props: FieldProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      trailing={
        <button
          type="button"
          onClick={() => setShown(!shown)}
          aria-label={`Show ${props.label.toLowerCase()}`}
          aria-pressed={shown}
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-field text-ink-soft hover:text-ink"
        >
          <Icon aria-hidden className="size-5" />
        </button>
      }
    />
  );
}

interface CodeFieldProps extends Omit<FieldProps, 'label'> {
  appOnly?: boolean;
  /** For accounts without an authenticator app. */
  recoveryOnly?: boolean;
}

/** A code from an authenticator app unless `recoveryOnly`, or a recovery code unless `appOnly`. */
export function CodeField({ appOnly, recoveryOnly = false, ...props }: CodeFieldProps) {
  const [chosen, setRecovery] = useState(false);
  const recovery = recoveryOnly || chosen;
  return (
    <div>
      <Field
        label={recovery ? 'Recovery code' : 'Code'}
        hint={
          recovery
            ? 'One of the codes you saved when you turned on two-factor sign-in. Each works once.'
            : 'Six digits from your authenticator app.'
        }
        autoComplete="one-time-code"
        // Phones show a digits-only keyboard for `numeric`; recovery codes contain letters.
        inputMode={recovery ? 'text' : 'numeric'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={80}
        required
        {...props}
      />
      {!appOnly && !recoveryOnly && (
        <button
          type="button"
          onClick={() => setRecovery(!recovery)}
          className={`${textLinkClass} mt-1 inline-flex min-h-11 items-center text-sm`}
        >
          {recovery ? 'Use a code from the app' : 'Use a recovery code instead'}
        </button>
      )}
    </div>
  );
}
