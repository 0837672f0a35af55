import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { limits, planIdSchema, plans } from '#contract';
import { useFormCall } from '#web/lib/form-call.ts';
import { usePage } from '#web/lib/page.ts';
import { useMaySignedIn, useMe } from '#web/lib/session.ts';
import { Field, FieldError } from '#web/ui/field.tsx';
import { NewPasswordFields } from '#web/ui/new-password-fields.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { textLinkClass } from '#web/ui/text-link.ts';
import { AccountPage } from './account-page.tsx';
import { resendVerification } from './api/resend-verification.ts';
import { signUp } from './api/sign-up.ts';
import type { LoginState } from './login-page.tsx';
import { MailSent } from './mail-sent.tsx';
import { PlanPicker } from './plan-picker.tsx';
import { checkedInOrder, type SignUpForm, signUpFormSchema } from './sign-up-form.ts';

/** Create an account; `?plan=` preselects the plan. The next step is the link in a mail. */
export function SignupPage() {
  const state = useLocation().state as LoginState | null;
  const [query] = useSearchParams();
  const me = useMe({ enabled: useMaySignedIn() });
  const [form, setForm] = useState<SignUpForm>({
    email: '',
    fullName: '',
    password: '',
    confirmation: '',
    plan: planIdSchema.catch('freelance').parse(query.get('plan')),
    acceptTerms: false,
  });
  const [sentTo, setSentTo] = useState<string | null>(null);

  // Another window may have followed the link meanwhile.
  if (me.data) return <Navigate to={state?.from ?? '/dashboard'} replace />;
  if (me.isLoading) return <PageSpinner />;
  if (sentTo !== null) {
    return (
      <MailSent
        email={sentTo}
        resend={() => resendVerification(sentTo)}
        onChangeAddress={() => setSentTo(null)}
      >
        <p>
          Open the link in the mail to confirm your address. It works for {limits.verificationHours} hours. An
          account that is not confirmed within {limits.unverifiedDays} days is removed.
        </p>
        <p className="text-sm text-ink-soft">
          You chose the {plans[planIdSchema.catch('freelance').parse(form.plan)].name} plan; you subscribe to
          it once you are in.
        </p>
      </MailSent>
    );
  }
  return (
    <SignupForm
      initial={form}
      state={state}
      onSent={(values) => {
        // Kept without the password: who changes the address types it again.
        setForm({ ...values, password: '', confirmation: '' });
        setSentTo(values.email);
      }}
    />
  );
}

interface SignupFormProps {
  initial: SignUpForm;
  state: LoginState | null;
  onSent: (values: SignUpForm) => void;
}

function SignupForm({ initial, state, onSent }: SignupFormProps) {
  const heading = usePage('Create your account');
  const form = useForm<SignUpForm>({
    resolver: zodResolver(signUpFormSchema),
    shouldFocusError: false,
    defaultValues: initial,
  });
  const { errors } = form.formState;
  const { submit, isPending, problem } = useFormCall(
    form,
    ({ email, fullName, password, plan }) => signUp({ email, fullName, password, plan, acceptTerms: true }),
    {
      fields: { PASSWORD_COMMON: 'password' },
      onDone: (_reply, values) => onSent(values),
      onInvalid: (failed) => {
        const first = checkedInOrder.find((name) => failed[name]);
        if (first) form.setFocus(first);
      },
    },
  );
  return (
    <AccountPage
      wide
      headingRef={heading}
      title="Create your account"
      lead="Your photos become studio images in a few minutes."
    >
      <form noValidate onSubmit={submit} className="grid gap-5">
        <PlanPicker input={form.register('plan')} />
        <Field
          label="Full name"
          autoComplete="name"
          required
          maxLength={limits.nameCharacters}
          error={errors.fullName?.message}
          {...form.register('fullName')}
        />
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          required
          error={errors.email?.message}
          {...form.register('email')}
        />
        <NewPasswordFields
          label="Password"
          password={form.watch('password')}
          passwordInput={form.register('password')}
          confirmationInput={form.register('confirmation')}
          passwordError={errors.password?.message}
          confirmationError={errors.confirmation?.message}
        />
        <div>
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-accent"
              aria-invalid={errors.acceptTerms ? true : undefined}
              aria-describedby={errors.acceptTerms ? 'terms-error' : undefined}
              {...form.register('acceptTerms')}
            />
            <span>I accept the Terms of Service and the Privacy Policy</span>
          </label>
          <FieldError id="terms-error">{errors.acceptTerms?.message}</FieldError>
        </div>
        {problem && (
          <Notice tone="danger" inSight>
            {problem}
          </Notice>
        )}
        <SubmitButton busy={isPending} busyLabel="Creating account..." className="w-full">
          Create Secure Account
        </SubmitButton>
      </form>
      <p className="mt-6 text-center text-ink-soft">
        Already have an account?{' '}
        <Link to="/login" state={state} className={textLinkClass}>
          Sign in
        </Link>
      </p>
    </AccountPage>
  );
}
