import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { type SignIn, signInSchema } from '../../../../shared/contract/index.ts';
import { messageOf } from '../../lib/api.ts';
import { usePage } from '../../lib/page.ts';
import { beginSession, maySignedIn, type SessionEnd, useMe } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageSpinner, Spinner } from '../../ui/spinner.tsx';
import { AccountPage } from './account-page.tsx';
import { signIn } from './api/sign-in.ts';
import { PasswordField } from './password-field.tsx';

/** What a protected page passes along when it leads here. */
export interface LoginState {
  from?: string;
  end?: SessionEnd;
}

const endMessages: Readonly<Record<SessionEnd, string>> = {
  expired: 'Your session has ended. Please sign in again.',
  ended: 'You were signed out. Please sign in again.',
  left: 'You are signed out.',
};

/** Sign in; leads back to where one came from, else to the dashboard. */
export function LoginPage() {
  const heading = usePage('Sign in');
  const client = useQueryClient();
  const state = useLocation().state as LoginState | null;
  const me = useMe({ enabled: maySignedIn() });
  const form = useForm<SignIn>({
    resolver: zodResolver(signInSchema),
    defaultValues: { email: '', password: '' },
  });
  const { errors } = form.formState;
  const { mutate, isPending, error } = useMutation({
    mutationFn: signIn,
    networkMode: 'always',
    onSuccess: (reply) => beginSession(client, reply),
    onError: () => form.setFocus('password'),
  });

  if (me.data) return <Navigate to={state?.from ?? '/dashboard'} replace />;
  if (me.isLoading) return <PageSpinner />;
  return (
    <AccountPage headingRef={heading} title="Welcome back" lead="Sign in to your studio.">
      <form
        noValidate
        onSubmit={form.handleSubmit((values) => !isPending && mutate(values))}
        className="grid gap-5"
      >
        {error ? (
          <Notice tone="danger">{messageOf(error)}</Notice>
        ) : (
          state?.end && <Notice tone="info">{endMessages[state.end]}</Notice>
        )}
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
          autoComplete="current-password"
          required
          error={errors.password?.message}
          {...form.register('password')}
        />
        <Button type="submit" disabled={isPending} className="w-full">
          {isPending && <Spinner />}
          {isPending ? 'Signing in...' : 'Sign In'}
        </Button>
      </form>
      <p className="mt-6 text-center text-ink-soft">
        New to Packshot?{' '}
        <Link to="/signup" state={state} className="font-semibold text-accent underline underline-offset-3">
          Create an account
        </Link>
      </p>
    </AccountPage>
  );
}
