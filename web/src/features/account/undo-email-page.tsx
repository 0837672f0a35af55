import { usePage } from '#web/lib/page.ts';
import { undoEmail } from './api.ts';
import { LinkPasswordForm } from './link-password-form.tsx';

/**
 * Target of "This wasn't me" in the mails about a change of email: restores the old address. Requires the form to be
 * submitted, because mail scanners open links automatically.
 */
export function UndoEmailPage() {
  return (
    <LinkPasswordForm
      headingRef={usePage('Recover your account')}
      title="Recover your account"
      lead="We'll undo the change of your email address and sign out every device. Someone may know your password, so please choose a new one."
      submitLabel="Undo the change"
      call={undoEmail}
      expired={{
        lead: "It was already used, or more than 7 days have passed. If the change is more recent, enter your email on the next page and we'll send a new link.",
        label: 'Get a new link',
      }}
      done="email-restored"
    />
  );
}
