import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { defaultPlan, limits, pages, planIdSchema, plans } from '#contract';
import { useMayBeSignedIn, useMe } from '#web/lib/session.ts';
import { useFreeImages } from '#web/ui/free-images.tsx';
import { resendVerification } from './api.ts';
import { MailSent } from './mail-sent.tsx';
import { useSignInState } from './sign-in-state.ts';
import type { SignUpValues } from './sign-up-form.ts';
import { SignUpStep } from './sign-up-step.tsx';

/** Creates an account; `?plan=` preselects the plan. The next step is the link in a mail. */
export function SignUpPage() {
  const state = useSignInState();
  const [query] = useSearchParams();
  const me = useMe({ enabled: useMayBeSignedIn() });
  const [values, setValues] = useState<SignUpValues>({
    email: '',
    fullName: '',
    password: '',
    confirmation: '',
    plan: planIdSchema.catch(defaultPlan).parse(query.get('plan')),
    acceptTerms: false,
  });
  const freeImages = useFreeImages();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const hasPhoto = query.get('photo') === 'kept';

  // Whoever picked a plan on the landing page and turns out to have an account goes on to the plans; whoever has just
  // signed up, and opened the link in another window meanwhile, to the studio.
  const picked = sentTo === null && planIdSchema.safeParse(query.get('plan')).success;
  const from = state.from ?? (picked ? pages.plan : undefined);
  if (me.data) return <Navigate to={from ?? pages.dashboard} replace />;
  if (sentTo !== null) {
    return (
      <MailSent
        email={sentTo}
        resend={() => resendVerification(sentTo)}
        onChangeAddress={() => setSentTo(null)}
      >
        <p>
          Open the link {hasPhoto && 'in this browser, where your photo is, '}to confirm your address. It
          works for {limits.verificationHours} hours. Accounts that are not confirmed within{' '}
          {limits.unverifiedDays} days are removed.
        </p>
        <p className="text-sm text-ink-soft">
          {nextStep(plans[planIdSchema.catch(defaultPlan).parse(values.plan)].name, freeImages)}
        </p>
      </MailSent>
    );
  }
  return (
    <SignUpStep
      initialValues={values}
      hasPhoto={hasPhoto}
      state={{ ...state, ...(from && { from }) }}
      onSent={(sent) => {
        // Kept in case the address is changed, without the password.
        setValues({ ...sent, password: '', confirmation: '' });
        setSentTo(sent.email);
      }}
    />
  );
}

/** What comes after confirming. @param freeImages of a new account */
function nextStep(plan: string, freeImages: number): string {
  if (freeImages === 0) return `You chose the ${plan} plan. You'll set up payment after confirming.`;
  const images = freeImages === 1 ? 'first image is' : `first ${freeImages} images are`;
  return `Your ${images} free, once per email address. You chose the ${plan} plan: you'll set up payment when you want more.`;
}
