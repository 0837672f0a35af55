import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useSearchParams } from 'react-router-dom';
import { type ConfirmEmail, confirmEmailSchema, passwordAndCodeSchema } from '#contract';
import { ApiError } from '#web/lib/api.ts';
import { useFormCall } from '#web/lib/form-call.ts';
import { keys } from '#web/lib/generations/cache.ts';
import { usePage } from '#web/lib/page.ts';
import { useMaySignedIn } from '#web/lib/session.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { CodeField } from '#web/ui/code-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { AccountPage } from './account-page.tsx';
import { confirmEmail } from './api/confirm-email.ts';

/** Where the mail to an account's new address leads: asks for the password, then moves the account. */
export function ConfirmEmailPage() {
  const heading = usePage('Confirm your new address');
  const signedIn = useMaySignedIn();
  const token = useSearchParams()[0].get('token') ?? '';
  const [state, setState] = useState<'asking' | 'done' | 'old'>(token === '' ? 'old' : 'asking');
  if (state === 'done') {
    return (
      <AccountPage
        headingRef={heading}
        title="Your address is confirmed"
        lead="From now on you sign in with it."
      >
        <Link to={signedIn ? '/profile' : '/login'} className={buttonClass('primary', 'w-full')}>
          {signedIn ? 'Open your profile' : 'Sign in'}
        </Link>
      </AccountPage>
    );
  }
  if (state === 'old') {
    return (
      <AccountPage
        headingRef={heading}
        title="This link has expired"
        lead="It was used before, is too old, or the address has an account by now. Your profile says which address is yours, and sends a new link."
      >
        <Link to="/profile" className={buttonClass('primary', 'w-full')}>
          Open your profile
        </Link>
      </AccountPage>
    );
  }
  return (
    <AccountPage
      headingRef={heading}
      title="Confirm your new address"
      lead="Enter the password of your account to use this address from now on."
    >
      <ConfirmForm token={token} onDone={() => setState('done')} onOld={() => setState('old')} />
    </AccountPage>
  );
}

interface ConfirmFormProps {
  token: string;
  onDone: () => void;
  /** The link was used or became too old meanwhile. */
  onOld: () => void;
}

function ConfirmForm({ token, onDone, onOld }: ConfirmFormProps) {
  const client = useQueryClient();
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm<Omit<ConfirmEmail, 'token'>>({
    resolver: zodResolver(needsCode ? passwordAndCodeSchema : confirmEmailSchema.omit({ token: true })),
    defaultValues: { password: '' },
  });
  const { errors } = form.formState;
  const { submit, isPending, error, problem } = useFormCall(
    form,
    (values) => confirmEmail({ token, ...values }),
    {
      fields: { WRONG_PASSWORD: 'password', CODE_INVALID: 'code' },
      onDone: () => {
        client.invalidateQueries({ queryKey: keys.me });
        onDone();
      },
      onFailed: (failure) => {
        const code = failure instanceof ApiError ? failure.code : null;
        if (code === 'CODE_REQUIRED') setNeedsCode(true);
        else if (code === 'TOKEN_INVALID') onOld();
      },
    },
  );
  const { setFocus } = form;
  useEffect(() => {
    if (needsCode) setFocus('code');
  }, [needsCode, setFocus]);
  // Asked for by the server in the course of things: nothing went wrong.
  const asksForMore = error instanceof ApiError && error.code === 'CODE_REQUIRED';
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {problem && <Notice tone={asksForMore ? 'info' : 'danger'}>{problem}</Notice>}
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        error={errors.password?.message}
        {...form.register('password')}
      />
      {needsCode && <CodeField error={errors.code?.message} {...form.register('code')} />}
      <SubmitButton busy={isPending} busyLabel="Confirming...">
        Confirm the address
      </SubmitButton>
    </form>
  );
}
