import { limits } from '#contract';
import { usePage } from '#web/lib/page.ts';
import { setPassword } from './api.ts';
import { LinkPasswordForm } from './link-password-form.tsx';

/** Target of the link in a reset mail: sets a new password, then goes on to the sign-in page. */
export function ResetPasswordPage() {
  return (
    <LinkPasswordForm
      headingRef={usePage('Set a new password')}
      title="Set a new password"
      lead={`You'll be signed out everywhere. What was added for two-factor sign-in in the last ${limits.youngFactorDays} days will be removed.`}
      submitLabel="Set password"
      call={setPassword}
      expired={{
        lead: 'It was already used, is too old, or was replaced by a newer one.',
        label: 'Get a new link',
      }}
      done="password-set"
    />
  );
}
