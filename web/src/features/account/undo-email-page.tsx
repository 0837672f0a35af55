import { usePage } from '#web/lib/page.ts';
import { undoEmail } from './api/undo-email.ts';
import { LinkPasswordForm } from './link-password-form.tsx';

/**
 * Where "This wasn't me" leads, in the mails about a change of the address: takes the account back. Nothing happens
 * before the form is sent, so a mail program that opens links by itself undoes nothing.
 */
export function UndoEmailPage() {
  return (
    <LinkPasswordForm
      headingRef={usePage('Take your account back')}
      title="Take your account back"
      lead="We'll undo the change of your email address and sign out every device. Somebody knows your password, so choose a new one."
      label="Undo the change"
      call={undoEmail}
      expired={{
        lead: 'It was used before, or more than 7 days have passed. If the change is newer, enter your email on the next page and we will send you a new link.',
        label: 'Ask for a new link',
      }}
      done="address-back"
    />
  );
}
