import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import type { z } from 'zod';
import { setPasswordSchema } from '../../../../shared/contract/index.ts';
import { ApiError } from '../../lib/api.ts';
import { withConfirmation } from '../../lib/confirmation.ts';
import { useFormCall } from '../../lib/form-call.ts';
import { usePage } from '../../lib/page.ts';
import { endSession } from '../../lib/session.ts';
import { buttonClass } from '../../ui/button.tsx';
import { NewPasswordFields } from '../../ui/new-password-fields.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { AccountPage } from './account-page.tsx';
import { setPassword } from './api/set-password.ts';
import type { LoginState } from './login-page.tsx';

const formSchema = withConfirmation(setPasswordSchema.omit({ token: true }), 'password');
type ResetForm = z.input<typeof formSchema>;

/** Where the link of a reset mail leads: sets a new password, then to the sign-in page. */
export function ResetPasswordPage() {
  const heading = usePage('Set a new password');
  const client = useQueryClient();
  const navigate = useNavigate();
  const token = useSearchParams()[0].get('token') ?? '';
  const form = useForm<ResetForm>({
    resolver: zodResolver(formSchema),
    defaultValues: { password: '', confirmation: '' },
  });
  const { errors } = form.formState;
  const { submit, isPending, error, problem } = useFormCall(
    form,
    ({ password }) => setPassword({ token, password }),
    {
      fields: { PASSWORD_COMMON: 'password', PASSWORD_REUSED: 'password' },
      onDone: () => {
        // Every session of the account has ended, one of this browser included.
        endSession(client, 'ended');
        const state: LoginState = { done: 'password-set' };
        navigate('/login', { replace: true, state });
      },
    },
  );
  if (token === '' || (error instanceof ApiError && error.code === 'TOKEN_INVALID')) {
    return (
      <AccountPage
        headingRef={heading}
        title="This link is spent"
        lead="It was used before, is too old, or a newer one has replaced it."
      >
        <Link to="/forgot-password" className={buttonClass('primary', 'w-full')}>
          Ask for a new link
        </Link>
      </AccountPage>
    );
  }
  return (
    <AccountPage
      headingRef={heading}
      title="Set a new password"
      lead="Every device that is signed in to your account is then signed out."
    >
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
          Set the password
        </SubmitButton>
      </form>
    </AccountPage>
  );
}
