import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FieldErrors, useForm } from 'react-hook-form';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { limits, planIdSchema, refusals } from '../../../../shared/contract/index.ts';
import { ApiError, messageOf } from '../../lib/api.ts';
import { usePage } from '../../lib/page.ts';
import { beginSession, maySignedIn, useMe } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field, FieldError } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageSpinner, Spinner } from '../../ui/spinner.tsx';
import { AccountPage } from './account-page.tsx';
import { signUp } from './api/sign-up.ts';
import type { LoginState } from './login-page.tsx';
import { PasswordField } from './password-field.tsx';
import { PlanPicker } from './plan-picker.tsx';
import { checkedInOrder, type SignUpForm, signUpFormSchema } from './sign-up-form.ts';
import { StrengthMeter } from './strength-meter.tsx';

/** Create an account; `?plan=` chooses the plan beforehand (seed §2). */
export function SignupPage() {
  const heading = usePage('Create your account');
  const client = useQueryClient();
  const state = useLocation().state as LoginState | null;
  const [query] = useSearchParams();
  const me = useMe({ enabled: maySignedIn() });
  const form = useForm<SignUpForm>({
    resolver: zodResolver(signUpFormSchema),
    shouldFocusError: false,
    defaultValues: {
      email: '',
      fullName: '',
      password: '',
      confirmation: '',
      plan: planIdSchema.catch('freelance').parse(query.get('plan')),
      acceptTerms: false,
    },
  });
  const { errors } = form.formState;
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ email, fullName, password, plan }: SignUpForm) =>
      signUp({ email, fullName, password, plan, acceptTerms: true }),
    networkMode: 'always',
    onSuccess: (reply) => beginSession(client, reply),
    onError: (failure) => {
      if (failure instanceof ApiError && failure.code === 'SIGN_UP_REFUSED') form.setFocus('email');
    },
  });
  const focusFirst = (failed: FieldErrors<SignUpForm>) => {
    const first = checkedInOrder.find((name) => failed[name]);
    if (first) form.setFocus(first);
  };

  if (me.data) return <Navigate to={state?.from ?? '/dashboard'} replace />;
  if (me.isLoading) return <PageSpinner />;
  const refused = error instanceof ApiError && error.code === 'SIGN_UP_REFUSED';
  return (
    <AccountPage
      wide
      headingRef={heading}
      title="Create your account"
      lead="Your photos become studio images in a few minutes."
    >
      <form
        noValidate
        onSubmit={form.handleSubmit((values) => !isPending && mutate(values), focusFirst)}
        className="grid gap-5"
      >
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
        <PasswordField
          label="Password"
          autoComplete="new-password"
          required
          minLength={limits.passwordCharacters}
          error={errors.password?.message}
          hint={<StrengthMeter password={form.watch('password')} />}
          {...form.register('password')}
        />
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          required
          error={errors.confirmation?.message}
          {...form.register('confirmation')}
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
        {error && (
          <Notice tone="danger">
            {refused ? refusals.SIGN_UP_REFUSED[1] : messageOf(error)}{' '}
            {refused && (
              <Link to="/login" className="font-semibold underline underline-offset-2">
                Sign in
              </Link>
            )}
          </Notice>
        )}
        <Button type="submit" disabled={isPending} className="w-full">
          {isPending && <Spinner />}
          {isPending ? 'Creating account...' : 'Create Secure Account'}
        </Button>
      </form>
      <p className="mt-6 text-center text-ink-soft">
        Already have an account?{' '}
        <Link to="/login" state={state} className="font-semibold text-accent underline underline-offset-3">
          Sign in
        </Link>
      </p>
    </AccountPage>
  );
}
