import { useState } from 'react';
import { textLinkClass } from './button.tsx';
import { Field, type FieldProps } from './field.tsx';

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
