import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate } from 'react-router-dom';
import { limits, pages } from '#contract';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { usePage } from '#web/lib/page.ts';
import { loadPasskeys, usePasskeysOffered } from '#web/lib/passkeys/passkeys.ts';
import { startSession, useMayBeSignedIn, useMe } from '#web/lib/session.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { registerField } from '#web/lib/use-form-mutation.ts';
import { loginPictures } from '#web/pictures/login.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { Carousel } from '#web/ui/carousel/carousel.tsx';
import { CodeField, PasswordField } from '#web/ui/credential-fields.tsx';
import { EmailField } from '#web/ui/email-field.tsx';
import { Name } from '#web/ui/name.tsx';
import { NewPasswordFields } from '#web/ui/new-password-fields.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasskeyButton, PasskeyCodeButton } from '#web/ui/passkey-button.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { AccountPage } from './account-page.tsx';
import { resendVerification } from './api.ts';
import { type SignInState, useSignInState } from './sign-in-state.ts';
import { useSignInForm } from './use-sign-in-form.ts';

const sessionEndMessages: Readonly<Record<NonNullable<SignInState['sessionEnd']>, string>> = {
  expired: 'Your session has ended. Please sign in again.',
  ended: 'You were signed out. Please sign in again.',
  'signed-out': 'You are signed out.',
};
const doneMessages: Readonly<Record<NonNullable<SignInState['done']>, string>> = {
  'password-set': 'Your new password is set. Please sign in with it.',
  'email-restored': 'Your account is recovered. Please sign in with your old address and your new password.',
};

/** Sign in; returns to the page that required it, or to the dashboard. */
export function SignInPage() {
  const heading = usePage(sitePages[pages.login].title);
  const state = useSignInState();
  const me = useMe({ enabled: useMayBeSignedIn() });
  if (me.data) return <Navigate to={state.from ?? '/dashboard'} replace />;
  return (
    <AccountPage
      headingRef={heading}
      title="Welcome back"
      lead="Sign in to your studio."
      aside={<SignInGallery />}
    >
      <SignInForm state={state} />
      <p className="mt-6 text-center text-ink-soft">
        New to Packshot?{' '}
        <Link to="/signup" state={state} className={textLinkClass}>
          Create an account
        </Link>
      </p>
    </AccountPage>
  );
}

/** Signs in without address and password. */
function PasskeySignIn({ staySignedIn }: { staySignedIn: boolean }) {
  const client = useQueryClient();
  return (
    <div className="mt-5 grid gap-5">
      <p className="flex items-center gap-3 text-sm text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      <PasskeyButton
        label="Sign in with a passkey"
        call={async () => (await loadPasskeys()).signInWithPasskey(staySignedIn)}
        onSuccess={(reply) => startSession(client, reply)}
      />
    </div>
  );
}

function SignInForm({ state }: { state: SignInState }) {
  const passkeysOffered = usePasskeysOffered();
  const { form, required, factors, onEmailChange, submitPasskeyCode, ...mutation } = useSignInForm();
  const { submit, isPending, error, formError } = mutation;
  const { errors } = form.formState;
  return (
    <>
      <form noValidate onSubmit={submit} className="grid gap-5">
        {formError !== null && (
          <SignInError error={error} message={formError} email={form.getValues('email')} />
        )}
        {error === null && <ArrivalNotice state={state} />}
        <EmailField error={errors.email?.message} {...form.register('email', { onChange: onEmailChange })} />
        <div>
          <PasswordField
            label="Password"
            autoComplete="current-password"
            required
            {...registerField(form, 'password')}
          />
          <Link
            to="/forgot-password"
            state={{ email: form.watch('email') }}
            className={`${textLinkClass} mt-1 inline-flex min-h-11 items-center text-sm`}
          >
            Forgot your password?
          </Link>
        </div>
        {required.code && factors.includes('passkey') && (
          <PasskeyCodeButton
            label="Use your passkey"
            isReady={() => form.trigger(['email', 'password'], { shouldFocus: true })}
            onCode={submitPasskeyCode}
          />
        )}
        {required.code && (
          <CodeField
            recoveryOnly={factors.length > 0 && !factors.includes('app')}
            {...registerField(form, 'code')}
          />
        )}
        {required.newPassword && (
          <NewPasswordFields
            value={form.watch('newPassword') ?? ''}
            password={registerField(form, 'newPassword')}
            confirmation={registerField(form, 'confirmation')}
          />
        )}
        <label className="flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            aria-describedby="stay-signed-in"
            className="size-5 shrink-0 accent-accent"
            {...form.register('staySignedIn')}
          />
          <span>
            Stay signed in
            <span id="stay-signed-in" className="block text-sm text-ink-soft">
              For {limits.staySignedInDays} days without activity. Only on a device of your own.
            </span>
          </span>
        </label>
        <SubmitButton busy={isPending} busyLabel="Signing in..." className="w-full">
          Sign In
        </SubmitButton>
      </form>
      {passkeysOffered && !required.code && (
        <PasskeySignIn staySignedIn={form.watch('staySignedIn') ?? false} />
      )}
    </>
  );
}

/** Why the seller was redirected to this page, if they were. */
function ArrivalNotice({ state }: { state: SignInState }) {
  if (state.done) return <Notice tone="good">{doneMessages[state.done]}</Notice>;
  if (state.sessionEnd) return <Notice tone="info">{sessionEndMessages[state.sessionEnd]}</Notice>;
  return null;
}

interface SignInErrorProps {
  error: Error | null;
  message: string;
  email: string;
}

function SignInError({ error, message, email }: SignInErrorProps) {
  const code = error instanceof ApiError ? error.code : null;
  // The next step, not a failure.
  const asksForMore = code === 'CODE_REQUIRED' || code === 'PASSWORD_EXPIRED';
  return (
    <Notice tone={asksForMore ? 'info' : 'danger'}>
      {message}
      {code === 'ACCOUNT_DISABLED' && (
        <p className="mt-1">
          <Link
            to="/contact"
            className="inline-flex min-h-9 items-center font-semibold underline underline-offset-2"
          >
            Contact support
          </Link>
        </p>
      )}
      {code === 'EMAIL_UNVERIFIED' && <ResendLink email={email} />}
    </Notice>
  );
}

/** A button in the notice about an unverified address: resends the verification mail. */
function ResendLink({ email }: { email: string }) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => resendVerification(email),
  });
  if (isSuccess)
    return (
      <p className="mt-1">
        We sent the link again to <Name>{email}</Name>.
      </p>
    );
  return (
    <p className="mt-1">
      {error && `${messageOf(error)} `}
      <button
        type="button"
        disabled={isPending}
        onClick={() => mutate()}
        className="inline-flex min-h-9 items-center font-semibold underline underline-offset-2"
      >
        {isPending ? 'Sending...' : 'Resend link'}
      </button>
    </p>
  );
}

const slides = loginPictures.map((picture) => ({ picture, alt: picture.alt }));

/** The carousel beside the sign-in form. */
function SignInGallery() {
  return (
    <>
      <Carousel
        label="Images made with Packshot"
        slides={slides}
        layout="fan"
        sizes="(min-width: 90rem) 27rem, 30vw"
      />
      <p className="mt-2 text-center text-sm text-ink-soft">Made with Packshot from our sample photos.</p>
    </>
  );
}
