import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useLocation } from 'react-router-dom';
import { type AddressOnly, addressOnlySchema, limits } from '#contract';
import { useFormCall } from '#web/lib/form-call.ts';
import { usePage } from '#web/lib/page.ts';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { textLinkClass } from '#web/ui/text-link.ts';
import { AccountPage } from './account-page.tsx';
import { askPasswordReset } from './api/ask-password-reset.ts';
import { MailSent } from './mail-sent.tsx';

/** Asks for a link to set a new password. */
export function ForgotPasswordPage() {
  const given = useLocation().state as { email?: string } | null;
  const [email, setEmail] = useState(given?.email ?? '');
  const [sent, setSent] = useState(false);
  if (!sent) {
    return (
      <AddressForm
        email={email}
        onSent={(address) => {
          setEmail(address);
          setSent(true);
        }}
      />
    );
  }
  return (
    <MailSent email={email} resend={() => askPasswordReset(email)} onChangeAddress={() => setSent(false)}>
      <p>
        If there is an account with this address, the mail holds a link to set a new password. It works for{' '}
        {limits.resetMinutes} minutes.
      </p>
    </MailSent>
  );
}

function AddressForm({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const heading = usePage('Forgot your password?');
  const form = useForm<AddressOnly>({
    resolver: zodResolver(addressOnlySchema),
    defaultValues: { email },
  });
  const { submit, isPending, problem } = useFormCall(form, (values) => askPasswordReset(values.email), {
    onDone: (_reply, values) => onSent(values.email),
  });
  return (
    <AccountPage
      headingRef={heading}
      title="Forgot your password?"
      lead="Tell us your address and we send you a link to set a new one."
    >
      <form noValidate onSubmit={submit} className="grid gap-5">
        {problem && <Notice tone="danger">{problem}</Notice>}
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          required
          error={form.formState.errors.email?.message}
          {...form.register('email')}
        />
        <SubmitButton busy={isPending} busyLabel="Sending...">
          Send the link
        </SubmitButton>
      </form>
      <p className="mt-6 text-center text-ink-soft">
        <Link to="/login" className={textLinkClass}>
          Back to sign in
        </Link>
      </p>
    </AccountPage>
  );
}
