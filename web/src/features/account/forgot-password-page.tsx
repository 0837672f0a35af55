import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { z } from 'zod';
import { limits } from '#contract';
import { usePage } from '#web/lib/page.ts';
import { AccountPage } from './account-page.tsx';
import { requestPasswordReset } from './api.ts';
import { BackToSignIn, MailSent } from './mail-sent.tsx';
import { RequestLinkForm } from './request-link-form.tsx';

/** What the sign-in page passes along. */
const stateSchema = z.object({ email: z.string() }).catch({ email: '' });

/** Requests a link to set a new password. */
export function ForgotPasswordPage() {
  const state = useLocation().state;
  const [email, setEmail] = useState(() => stateSchema.parse(state).email);
  const [sent, setSent] = useState(false);
  if (sent) {
    return (
      <MailSent
        email={email}
        resend={() => requestPasswordReset(email)}
        onChangeAddress={() => setSent(false)}
      >
        <p>
          If there is an account with this address, you'll find a link to set a new password. It works for{' '}
          {limits.resetMinutes} minutes.
        </p>
      </MailSent>
    );
  }
  return (
    <AddressStep
      email={email}
      onSent={(address) => {
        setEmail(address);
        setSent(true);
      }}
    />
  );
}

function AddressStep({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const heading = usePage('Forgot your password?');
  return (
    <AccountPage
      headingRef={heading}
      title="Forgot your password?"
      lead="Enter your email and we'll send a link to set a new one."
    >
      <RequestLinkForm
        initialEmail={email}
        submitLabel="Send link"
        call={requestPasswordReset}
        onSent={onSent}
      />
      <BackToSignIn />
    </AccountPage>
  );
}
