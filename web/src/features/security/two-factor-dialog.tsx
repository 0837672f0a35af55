import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type CodeOnly, codeOnlySchema, type TwoFactorSetup } from '#contract';
import { useFormCall } from '#web/lib/form-call.ts';
import { Button } from '#web/ui/button.tsx';
import { CodeField } from '#web/ui/code-field.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { textLinkClass } from '#web/ui/text-link.ts';
import { beginTwoFactor } from './api/begin-two-factor.ts';
import { confirmTwoFactor } from './api/confirm-two-factor.ts';
import { PasswordForm } from './password-form.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import { takeTwoFactor } from './take-two-factor.ts';

type Step =
  | { at: 'password' }
  | { at: 'app'; setup: TwoFactorSetup }
  | { at: 'codes'; recoveryCodes: readonly string[] };

/** Turns two-factor sign-in on: the password, the app with its first code, then the recovery codes. */
export function TwoFactorDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const [step, setStep] = useState<Step>({ at: 'password' });
  const close = () => {
    // The button that opened this is replaced once it is on: not before this has closed.
    if (step.at === 'codes') takeTwoFactor(client, true);
    setStep({ at: 'password' });
    onClose();
  };
  const words = {
    password: { title: 'Turn on two-factor sign-in', text: 'Please enter your password first.' },
    app: {
      title: 'Scan this with your authenticator app',
      text: 'Then enter the code that the app shows.',
    },
    codes: {
      title: 'Keep your recovery codes',
      text: 'Two-factor sign-in is on. Each of these codes works once when your phone is out of reach. They are shown only now.',
    },
  }[step.at];
  return (
    <Dialog
      open={open}
      sticky={step.at === 'codes'}
      onOpenChange={(now) => !now && close()}
      title={words.title}
      description={words.text}
    >
      {step.at === 'password' && (
        <PasswordForm
          label="Continue"
          call={beginTwoFactor}
          onDone={(setup) => setStep({ at: 'app', setup })}
          onClose={close}
        />
      )}
      {step.at === 'app' && (
        <AppForm
          setup={step.setup}
          onDone={(recoveryCodes) => setStep({ at: 'codes', recoveryCodes })}
          onClose={close}
        />
      )}
      {step.at === 'codes' && <RecoveryCodeList codes={step.recoveryCodes} onKept={close} />}
    </Dialog>
  );
}

interface AppFormProps {
  setup: TwoFactorSetup;
  onDone: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}

function AppForm({ setup, onDone, onClose }: AppFormProps) {
  const form = useForm<CodeOnly>({ resolver: zodResolver(codeOnlySchema), defaultValues: { code: '' } });
  const { submit, isPending, problem } = useFormCall(form, ({ code }) => confirmTwoFactor(code), {
    fields: { CODE_INVALID: 'code' },
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <div className="flex flex-wrap items-center gap-5">
        <QrCode text={setup.uri} label="QR code for your authenticator app" className="size-44 shrink-0" />
        <div className="min-w-0 flex-[1_1_10rem] text-sm">
          <p className="text-ink-soft">No camera at hand? Enter this key in the app:</p>
          <p
            data-testid="two-factor-secret"
            className="mt-1.5 font-mono text-base leading-relaxed font-semibold select-all"
          >
            {setup.secret.match(/.{1,4}/g)?.join(' ')}
          </p>
          {/* Nobody can scan the screen of the very phone that the app is on. */}
          <a
            href={setup.uri}
            className={`${textLinkClass} mt-1 hidden min-h-11 items-center pointer-coarse:inline-flex`}
          >
            Open the app on this device
          </a>
        </div>
      </div>
      {problem && <Notice tone="danger">{problem}</Notice>}
      <CodeField appOnly autoFocus error={form.formState.errors.code?.message} {...form.register('code')} />
      <DialogButtons>
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton busy={isPending} busyLabel="Checking...">
          Turn on
        </SubmitButton>
      </DialogButtons>
    </form>
  );
}
