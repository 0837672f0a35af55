import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import type { z } from 'zod';
import { limits, type SetPassword, setPasswordSchema } from '#contract';
import { ApiError } from '#web/lib/api.ts';
import { usePage } from '#web/lib/page.ts';
import { endSession } from '#web/lib/session.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { withConfirmation } from '#web/lib/with-confirmation.ts';
import { UsernameField } from '#web/ui/credential-fields.tsx';
import { NewPasswordFields } from '#web/ui/new-password-fields.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { AccountPage } from './account-page.tsx';
import { setPassword, undoEmail } from './api.ts';
import { LinkExpired } from './link-page.tsx';
import type { SignInState } from './sign-in-state.ts';
import { useLinkAddress } from './use-link-address.ts';
import { useLinkToken } from './use-link-token.ts';

/** Target of the link in a reset mail: sets a new password, then goes on to the sign-in page. */
export function ResetPasswordPage() {
  return (
    <LinkPasswordForm
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

/**
 * Target of "This wasn't me" in the mails about a change of email: restores the old address. Requires the form to be
 * submitted, because mail scanners open links automatically.
 */
export function UndoEmailPage() {
  return (
    <LinkPasswordForm
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

const formSchema = withConfirmation(setPasswordSchema.omit({ token: true }), 'password');
type PasswordForm = z.input<typeof formSchema>;

interface LinkPasswordFormProps {
  title: string;
  lead: string;
  submitLabel: string;
  call: (body: SetPassword) => Promise<void>;
  /** Shown if the link has expired; the label is of the link to the page that sends a new one. */
  expired: { lead: string; label: string };
  done: NonNullable<SignInState['done']>;
}

/** A page behind the link of a mail that sets a new password, then goes on to the sign-in page. */
function LinkPasswordForm(props: LinkPasswordFormProps) {
  const { title, lead, submitLabel, call, expired, done } = props;
  const headingRef = usePage(title);
  const client = useQueryClient();
  const navigate = useNavigate();
  const token = useLinkToken();
  const username = useLinkAddress(token);
  const form = useForm<PasswordForm>({
    resolver: zodResolver(formSchema),
    defaultValues: { password: '', confirmation: '' },
  });
  const { submit, isPending, error, formError } = useFormMutation(
    form,
    ({ password }) => call({ token, password }),
    {
      fields: { PASSWORD_COMMON: 'password', PASSWORD_REUSED: 'password' },
      onSuccess: () => {
        // The server has ended every session of the account.
        endSession(client, 'ended');
        const state: SignInState = { done };
        navigate('/login', { replace: true, state });
      },
    },
  );
  if (token === '' || (error instanceof ApiError && error.code === 'TOKEN_INVALID')) {
    return (
      <LinkExpired headingRef={headingRef} lead={expired.lead} to="/forgot-password" label={expired.label} />
    );
  }
  return (
    <AccountPage headingRef={headingRef} title={title} lead={lead}>
      <form noValidate onSubmit={submit} className="grid gap-5">
        {formError && <Notice tone="danger">{formError}</Notice>}
        <UsernameField email={username} />
        <NewPasswordFields
          value={form.watch('password')}
          password={registerField(form, 'password')}
          confirmation={registerField(form, 'confirmation')}
        />
        <SubmitButton busy={isPending} busyLabel="Saving...">
          {submitLabel}
        </SubmitButton>
      </form>
    </AccountPage>
  );
}
