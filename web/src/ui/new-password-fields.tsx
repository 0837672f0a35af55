import clsx from 'clsx';
import { limits, passwordCriteria, passwordRules, passwordRulesAttribute } from '#contract';
import type { RegisteredField } from '#web/lib/use-form-mutation.ts';
import { PasswordField } from './credential-fields.tsx';

/** An attribute that React passes on and its types do not know. */
const rules = { passwordrules: passwordRulesAttribute };

interface NewPasswordFieldsProps {
  /** The password so far, for the strength meter. */
  value: string;
  /** What `registerField` returns. */
  password: RegisteredField;
  confirmation: RegisteredField;
  /** `Password` on the sign-up page. */
  label?: string;
}

/** A new password with its strength meter, and its confirmation. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const { value, password, confirmation, label = 'New password' } = props;
  return (
    <>
      <PasswordField
        label={label}
        autoComplete="new-password"
        required
        minLength={limits.passwordCharacters}
        hint={<StrengthMeter password={value} />}
        {...rules}
        {...password}
      />
      <PasswordField
        label={`Confirm ${label.toLowerCase()}`}
        autoComplete="new-password"
        required
        {...rules}
        {...confirmation}
      />
    </>
  );
}

/**
 * Shows how many of the criteria a password meets, and what it still needs. It gives no verdict: the server refuses common
 * passwords as well.
 */
function StrengthMeter({ password }: { password: string }) {
  const count = passwordCriteria.length;
  const met = passwordCriteria.filter((criterion) => criterion.met(password)).length;
  const missing = password === '' ? [] : passwordRules.filter((rule) => !rule.met(password));
  return (
    <div>
      <meter
        className="sr-only"
        aria-label="Password strength"
        aria-valuetext={password === '' ? 'No password yet' : `${met} of ${count} criteria met`}
        min={0}
        max={count}
        value={met}
      />
      <div aria-hidden className="grid grid-cols-4 gap-1.5">
        {passwordCriteria.map(({ label }, index) => (
          <span
            key={label}
            className={clsx(
              'h-1.5 rounded-full transition-colors',
              index >= met ? 'bg-line' : met === count ? 'bg-good' : 'bg-accent',
            )}
          />
        ))}
      </div>
      {missing.length > 0 && (
        <p className="mt-1.5 text-sm">
          Still needed:{' '}
          {missing.map(({ label }) => `${label.charAt(0).toLowerCase()}${label.slice(1)}`).join(', ')}
        </p>
      )}
    </div>
  );
}
