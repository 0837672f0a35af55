import { useState } from 'react';
import { Link } from 'react-router-dom';
import { usePage } from '#web/lib/page.ts';
import { textLinkClass } from '#web/ui/text-link.ts';
import { AccountPage } from './account-page.tsx';
import { resendVerification } from './api.ts';
import { MailSent } from './mail-sent.tsx';
import { RequestLinkForm } from './request-link-form.tsx';

/** Shown when a verification link no longer works, usually because it was used before: requests a new one. */
export function RequestVerificationLink() {
  const heading = usePage('This link has expired');
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null) {
    return (
      <MailSent
        email={sentTo}
        resend={() => resendVerification(sentTo)}
        onChangeAddress={() => setSentTo(null)}
      >
        <p>You'll find a new link there if this email still needs to be confirmed.</p>
      </MailSent>
    );
  }
  return (
    <AccountPage
      headingRef={heading}
      title="This link has expired"
      lead="It was already used, is too old, or was replaced by a newer one."
    >
      <Link to="/login" className={`${textLinkClass} mb-6 inline-flex min-h-11 items-center`}>
        Already confirmed? Sign in
      </Link>
      <RequestLinkForm
        hint="The email you signed up with."
        submitLabel="Send new link"
        call={resendVerification}
        onSent={setSentTo}
      />
    </AccountPage>
  );
}
