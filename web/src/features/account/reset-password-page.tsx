import { usePage } from '#web/lib/page.ts';
import { setPassword } from './api/set-password.ts';
import { LinkPasswordForm } from './link-password-form.tsx';

/** Where the link of a reset mail leads: sets a new password, then to the sign-in page. */
export function ResetPasswordPage() {
  return (
    <LinkPasswordForm
      headingRef={usePage('Set a new password')}
      title="Set a new password"
      lead="You'll be signed out everywhere."
      label="Set the password"
      call={setPassword}
      expired={{
        lead: 'It was used before, is too old, or a newer one has replaced it.',
        label: 'Ask for a new link',
      }}
      done="password-set"
    />
  );
}
