import { zodResolver } from '@hookform/resolvers/zod';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { limits, planIdSchema, planIds, plans } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { usePage } from '#web/lib/page.ts';
import { formatPrice } from '#web/lib/price.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { chosenTheme } from '#web/lib/theme.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { heroPairs } from '#web/pictures/hero.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { CompareSlider } from '#web/ui/compare-slider.tsx';
import { EmailField } from '#web/ui/email-field.tsx';
import { Field, FieldError } from '#web/ui/field.tsx';
import { FreeImages, useFreeImages } from '#web/ui/free-images.tsx';
import { Name } from '#web/ui/name.tsx';
import { NewPasswordFields } from '#web/ui/new-password-fields.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { PlanFeatures } from '#web/ui/plan-features.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { AccountPage } from './account-page.tsx';
import { signUp } from './api.ts';
import { meantAddress } from './meant-address.ts';
import type { SignInState } from './sign-in-state.ts';
import { fieldOrder, type SignUpValues, signUpFormSchema } from './sign-up-form.ts';

interface SignUpStepProps {
  initialValues: SignUpValues;
  state: SignInState;
  /** Whether a photo that the visitor tried waits for the studio. */
  hasPhoto: boolean;
  onSent: (values: SignUpValues) => void;
}

/** The page with the sign-up form. */
export function SignUpStep({ initialValues, state, hasPhoto, onSent }: SignUpStepProps) {
  const heading = usePage(sitePages['/signup'].title);
  return (
    <AccountPage
      wide
      headingRef={heading}
      title="Create your account"
      lead={
        hasPhoto
          ? 'Your photo and scene wait in this browser: your studio opens with them.'
          : 'Your photos become studio images in a few minutes.'
      }
      aside={<BeforeAfter />}
    >
      <SignUpForm initialValues={initialValues} onSent={onSent} />
      <p className="mt-6 text-center text-ink-soft">
        Already have an account?{' '}
        <Link to="/login" state={state} className={textLinkClass}>
          Sign in
        </Link>
      </p>
    </AccountPage>
  );
}

function SignUpForm({ initialValues, onSent }: Pick<SignUpStepProps, 'initialValues' | 'onSent'>) {
  const form = useForm<SignUpValues>({
    resolver: zodResolver(signUpFormSchema),
    shouldFocusError: false,
    defaultValues: initialValues,
  });
  const { errors } = form.formState;
  const { submit, isPending, formError } = useFormMutation(
    form,
    ({ email, fullName, password, plan }) =>
      signUp({ email, fullName, password, plan, acceptTerms: true, theme: chosenTheme() }),
    {
      fields: { PASSWORD_COMMON: 'password' },
      withoutCode: 'Failed to create account. Please try again.',
      onSuccess: (_reply, values) => onSent(values),
      onInvalid: (invalid) => {
        const first = fieldOrder.find((name) => invalid[name]);
        if (first) form.setFocus(first);
      },
    },
  );
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <PlanPicker input={form.register('plan')} selected={form.watch('plan')} />
      <Field
        label="Full name"
        autoComplete="name"
        required
        maxLength={limits.nameCharacters}
        {...registerField(form, 'fullName')}
      />
      <EmailField {...registerField(form, 'email')} />
      <MeantAddress
        email={form.watch('email')}
        onChoose={(email) => {
          form.setValue('email', email, { shouldValidate: form.formState.isSubmitted });
          form.setFocus('email');
        }}
      />
      <NewPasswordFields
        label="Password"
        value={form.watch('password')}
        password={registerField(form, 'password')}
        confirmation={registerField(form, 'confirmation')}
      />
      <TermsField input={form.register('acceptTerms')} error={errors.acceptTerms?.message} />
      {formError && (
        <Notice tone="danger" scrollIntoView>
          {formError}
        </Notice>
      )}
      <SubmitButton busy={isPending} busyLabel="Creating account..." className="w-full">
        Create Secure Account
      </SubmitButton>
    </form>
  );
}

function TermsField({ input, error }: { input: ComponentProps<'input'>; error: string | undefined }) {
  return (
    <div>
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-accent"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'terms-error' : undefined}
          {...input}
        />
        <span>
          I accept the <NewTabLink to="/terms">Terms of Service</NewTabLink> and the{' '}
          <NewTabLink to="/privacy">Privacy Policy</NewTabLink>
        </span>
      </label>
      <FieldError id="terms-error">{error}</FieldError>
    </div>
  );
}

/** A link that opens in a new tab, so that nothing typed in the form is lost. */
function NewTabLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} target="_blank" className={textLinkClass}>
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </Link>
  );
}

interface PlanPickerProps {
  input: ComponentProps<'input'>;
  /** The plan that is selected. */
  selected: string | undefined;
}

/** The chosen plan in a line, and on request both of them and what the chosen one includes. */
function PlanPicker({ input, selected }: PlanPickerProps) {
  const { data: selectedPlan } = planIdSchema.safeParse(selected);
  const freeImages = useFreeImages();
  return (
    <details className="group rounded-field bg-accent-wash">
      <summary className="flex min-h-11 flex-wrap items-center gap-x-2 px-4 py-2">
        {freeImages > 0 && (
          <span className="font-semibold">Start with {countText(freeImages, 'free image')}</span>
        )}
        {selectedPlan && <span>Plan: {plans[selectedPlan].name}</span>}
        <span className="ml-auto inline-flex items-center gap-1 font-semibold text-accent">
          Change
          <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
        </span>
      </summary>
      <div className="px-4 pb-3">
        <fieldset>
          <legend className="sr-only">Plan</legend>
          <div className="grid gap-2 min-[26rem]:grid-cols-2">
            {planIds.map((id) => {
              const plan = plans[id];
              return (
                <label
                  key={id}
                  className="relative block rounded-field border border-line-strong bg-surface p-3.5 transition-colors hover:bg-sunken has-checked:border-accent has-checked:ring-1 has-checked:ring-accent has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
                >
                  <span className="flex items-center justify-between gap-2">
                    <span className="font-semibold">{plan.name}</span>
                    <input type="radio" value={id} className="size-4 accent-accent" {...input} />
                  </span>
                  <span className="mt-0.5 block text-sm text-ink-soft">
                    <span className="text-base font-semibold text-ink">
                      {formatPrice(plan.monthlyPriceCents)}
                    </span>{' '}
                    a month
                  </span>
                  <span className="mt-1 block text-sm text-ink-soft">{plan.features[0]?.name}</span>
                </label>
              );
            })}
          </div>
        </fieldset>
        <FreeImages className="mt-2.5 text-sm text-ink-soft" />
        {selectedPlan && (
          <>
            <p className="mt-2.5 mb-1 text-sm font-semibold">What {plans[selectedPlan].name} includes</p>
            <PlanFeatures plan={plans[selectedPlan]} newTab />
          </>
        )}
      </div>
    </details>
  );
}

/** Asks whether another address was meant. */
function MeantAddress({ email, onChoose }: { email: string; onChoose: (email: string) => void }) {
  const meant = meantAddress(email);
  return (
    <p role="status" className="-mt-3 text-sm empty:hidden">
      {meant !== null && (
        <>
          Did you mean{' '}
          <button
            type="button"
            onClick={() => onChoose(meant)}
            className={`inline-flex min-h-11 items-center sm:min-h-0 ${textLinkClass}`}
          >
            <Name>{meant}</Name>
          </button>
          ?
        </>
      )}
    </p>
  );
}

/** A photo and the image that was made from it. */
function BeforeAfter() {
  const pair = heroPairs.at(-1);
  if (!pair) return null;
  const fill = { alt: '', sizes: '45vw', className: 'absolute inset-0 size-full object-cover' } as const;
  return (
    <CompareSlider
      className="mx-auto aspect-square w-full max-w-2xl bg-sunken shadow-card"
      photo={<Picture picture={pair.photo} {...fill} />}
      image={<Picture picture={pair.image} {...fill} />}
    />
  );
}
