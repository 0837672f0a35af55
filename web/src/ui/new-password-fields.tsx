import clsx from 'clsx';
import { Check, Circle } from 'lucide-react';
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

const strengthLabels = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'] as const;

/** Shows how many of the criteria a password meets, and which. */
function StrengthMeter({ password }: { password: string }) {
  const met = passwordCriteria.filter((criterion) => criterion.met(password)).length;
  const metColor = met === passwordCriteria.length ? 'bg-good' : 'bg-accent';
  return (
    <div>
      <meter
        className="sr-only"
        aria-label="Password strength"
        aria-valuetext={password === '' ? 'No password yet' : strengthLabels[met]}
        min={0}
        max={passwordCriteria.length}
        value={met}
      />
      <div aria-hidden className="grid grid-cols-4 gap-1.5">
        {passwordCriteria.map(({ label }, index) => (
          <span
            key={label}
            className={clsx('h-1.5 rounded-full transition-colors', index < met ? metColor : 'bg-line')}
          />
        ))}
      </div>
      <ul className="mt-2.5 grid gap-x-4 gap-y-1 text-sm sm:grid-cols-2">
        {passwordRules.map(({ label, met: isMet }) => {
          const done = isMet(password);
          const Icon = done ? Check : Circle;
          return (
            <li
              key={label}
              className={clsx('flex items-center gap-1.5', done ? 'text-good' : 'text-ink-soft')}
            >
              <Icon aria-hidden className="size-3.5 shrink-0" strokeWidth={done ? 3 : 2} />
              {label}
              <span className="sr-only">{done ? ' (met)' : ' (not met)'}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
