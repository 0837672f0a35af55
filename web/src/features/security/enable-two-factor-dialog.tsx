import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { encode } from 'uqr';
import { type CodeOnly, codeOnlySchema, type TwoFactorSetup } from '#contract';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { CodeField } from '#web/ui/credential-fields.tsx';
import { Dialog, DialogForm } from '#web/ui/dialog.tsx';
import { ReauthenticationForm } from '#web/ui/reauthentication-form.tsx';
import { cacheFactors, confirmTwoFactor, setUpTwoFactor } from './api.ts';
import { RecoveryCodeList } from './recovery-code-list.tsx';

type Step =
  | { name: 'password' }
  | { name: 'app'; setup: TwoFactorSetup }
  | { name: 'recovery-codes'; codes: readonly string[] };

const labels = {
  password: {
    title: 'Turn on two-factor sign-in',
    text: 'Please enter your password first. Turning it on signs you out on all other devices.',
  },
  app: {
    title: 'Scan this with your authenticator app',
    text: 'Then enter the code that the app shows.',
  },
  'recovery-codes': {
    title: 'Save your recovery codes',
    text: "Two-factor sign-in is on. Each of these codes works once if you don't have your phone. They won't be shown again.",
  },
} as const;

const confirmText = 'Please confirm that it is you first.';

/** Adds an authenticator app: password, the app, recovery codes if it is the first second factor. */
export function EnableTwoFactorDialog(props: { open: boolean; onClose: () => void; twoFactor: boolean }) {
  const { open, onClose, twoFactor } = props;
  const client = useQueryClient();
  const [step, setStep] = useState<Step>({ name: 'password' });
  const close = () => {
    // Not earlier: it replaces the button that opened this dialog and that gets the focus back.
    if (step.name === 'recovery-codes') cacheFactors(client, true, true);
    setStep({ name: 'password' });
    onClose();
  };
  const added = (codes: readonly string[]) => {
    if (codes.length > 0) return setStep({ name: 'recovery-codes', codes });
    // The recovery codes came with the first passkey.
    cacheFactors(client, true, true);
    toast.success('Your authenticator app was added.');
    close();
  };
  return (
    <Dialog
      open={open}
      dismissible={step.name !== 'recovery-codes'}
      onClose={close}
      title={step.name === 'password' && twoFactor ? 'Add an authenticator app' : labels[step.name].title}
      description={step.name === 'password' && twoFactor ? confirmText : labels[step.name].text}
    >
      {step.name === 'password' && (
        <ReauthenticationForm
          twoFactor={twoFactor}
          submitLabel="Continue"
          busyLabel="One moment..."
          call={setUpTwoFactor}
          onSuccess={(setup) => setStep({ name: 'app', setup })}
          onCancel={close}
        />
      )}
      {step.name === 'app' && <AppForm setup={step.setup} onSuccess={added} onCancel={close} />}
      {step.name === 'recovery-codes' && <RecoveryCodeList codes={step.codes} onSaved={close} />}
    </Dialog>
  );
}

interface AppFormProps {
  setup: TwoFactorSetup;
  onSuccess: (recoveryCodes: readonly string[]) => void;
  onCancel: () => void;
}

function AppForm({ setup, onSuccess, onCancel }: AppFormProps) {
  const form = useForm<CodeOnly>({ resolver: zodResolver(codeOnlySchema), defaultValues: { code: '' } });
  const mutation = useFormMutation(form, ({ code }) => confirmTwoFactor(code), {
    fields: { CODE_INVALID: 'code' },
    onSuccess: ({ recoveryCodes }) => onSuccess(recoveryCodes),
  });
  return (
    <DialogForm mutation={mutation} submitLabel="Turn on" busyLabel="Checking..." onCancel={onCancel}>
      <SetupKey setup={setup} />
      <CodeField appOnly autoFocus {...registerField(form, 'code')} />
    </DialogForm>
  );
}

/** The key for the authenticator app: as a QR code, as text, and as a link. */
function SetupKey({ setup }: { setup: TwoFactorSetup }) {
  return (
    <div className="flex flex-wrap items-center gap-5">
      <QrCode text={setup.uri} label="QR code for your authenticator app" className="size-44 shrink-0" />
      <div className="min-w-0 flex-[1_1_10rem] text-sm">
        <p className="text-ink-soft">Can't scan it? Enter this key in the app:</p>
        <p
          data-testid="two-factor-secret"
          translate="no"
          className="mt-1.5 font-mono text-base leading-relaxed font-semibold select-all"
        >
          {setup.secret.match(/.{1,4}/g)?.join(' ')}
        </p>
        {/* On a phone, which cannot scan its own screen. */}
        <a
          href={setup.uri}
          className={`${textLinkClass} mt-1 hidden min-h-11 items-center pointer-coarse:inline-flex`}
        >
          Open the app on this device
        </a>
      </div>
    </div>
  );
}

/** Width of the light border around a QR code in modules; the standard requires 4. */
const quietZone = 4;

/** A QR code: dark on white in both themes, because some scanners cannot read inverted codes. */
function QrCode({ text, label, className }: { text: string; label: string; className?: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { border: quietZone, ecc: 'M' });
    const modules = code.data.flatMap((row, y) =>
      row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    return { size: code.size, path: modules.join('') };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={clsx('rounded-field border border-line', className)}
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
