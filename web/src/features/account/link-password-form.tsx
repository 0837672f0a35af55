import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import type { Ref } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import type { z } from 'zod';
import { type SetPassword, setPasswordSchema } from '#contract';
import { ApiError } from '#web/lib/api.ts';
import { withConfirmation } from '#web/lib/confirmation.ts';
import { useFormCall } from '#web/lib/form-call.ts';
import { endSession } from '#web/lib/session.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { NewPasswordFields } from '#web/ui/new-password-fields.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { AccountPage } from './account-page.tsx';
import type { LoginState } from './login-page.tsx';

const formSchema = withConfirmation(setPasswordSchema.omit({ token: true }), 'password');
type PasswordForm = z.input<typeof formSchema>;

interface LinkPasswordFormProps {
  headingRef: Ref<HTMLHeadingElement>;
  title: string;
  lead: string;
  /** What the button reads. */
  label: string;
  call: (body: SetPassword) => Promise<void>;
  /** Where the link no longer works: why, and the way on. */
  expired: { lead: string; label: string };
  done: NonNullable<LoginState['done']>;
}

/** The page behind the link of a mail that sets a new password, then leads to the sign-in page. */
export function LinkPasswordForm(props: LinkPasswordFormProps) {
  const { headingRef, title, lead, label, call, expired, done } = props;
  const client = useQueryClient();
  const navigate = useNavigate();
  const token = useSearchParams()[0].get('token') ?? '';
  const form = useForm<PasswordForm>({
    resolver: zodResolver(formSchema),
    defaultValues: { password: '', confirmation: '' },
  });
  const { errors } = form.formState;
  const { submit, isPending, error, problem } = useFormCall(
    form,
    ({ password }) => call({ token, password }),
    {
      fields: { PASSWORD_COMMON: 'password', PASSWORD_REUSED: 'password' },
      onDone: () => {
        // Every session of the account has ended, one of this browser included.
        endSession(client, 'ended');
        const state: LoginState = { done };
        navigate('/login', { replace: true, state });
      },
    },
  );
  if (token === '' || (error instanceof ApiError && error.code === 'TOKEN_INVALID')) {
    return (
      <AccountPage headingRef={headingRef} title="This link has expired" lead={expired.lead}>
        <Link to="/forgot-password" className={buttonClass('primary', 'w-full')}>
          {expired.label}
        </Link>
      </AccountPage>
    );
  }
  return (
    <AccountPage headingRef={headingRef} title={title} lead={lead}>
      <form noValidate onSubmit={submit} className="grid gap-5">
        {problem && <Notice tone="danger">{problem}</Notice>}
        <NewPasswordFields
          password={form.watch('password')}
          passwordInput={form.register('password')}
          confirmationInput={form.register('confirmation')}
          passwordError={errors.password?.message}
          confirmationError={errors.confirmation?.message}
        />
        <SubmitButton busy={isPending} busyLabel="Saving...">
          {label}
        </SubmitButton>
      </form>
    </AccountPage>
  );
}
