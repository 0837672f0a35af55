import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { z } from 'zod';
import { type AddedPasskey, limits, type PasskeyCreationOptions } from '#contract';
import { loadPasskeys } from '#web/lib/passkeys/passkeys.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Dialog, DialogForm } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { ReauthenticationForm } from '#web/ui/reauthentication-form.tsx';
import { cacheFactors } from './api.ts';
import { RecoveryCodeList } from './recovery-code-list.tsx';

type Step =
  | { name: 'credentials' }
  | { name: 'make'; options: PasskeyCreationOptions }
  | { name: 'recovery-codes'; codes: readonly string[] };

const titles = {
  credentials: 'Add a passkey',
  make: 'Create your passkey',
  'recovery-codes': 'Save your recovery codes',
} as const;

/** Adds a passkey: password, the browser's own window, and recovery codes if it is the first second factor. */
export function AddPasskeyDialog(props: { open: boolean; onClose: () => void; twoFactor: boolean }) {
  const { open, onClose, twoFactor } = props;
  const client = useQueryClient();
  const [step, setStep] = useState<Step>({ name: 'credentials' });
  const texts = {
    credentials: twoFactor
      ? 'Please confirm that it is you first.'
      : 'It also turns on two-factor sign-in. Please enter your password first.',
    make: "Your browser will ask for your fingerprint, face, screen lock or security key. You'll be signed out on all other devices.",
    'recovery-codes':
      "Two-factor sign-in is on. Each of these codes works once if you don't have your passkey. They won't be shown again.",
  } as const;
  const close = () => {
    if (step.name === 'recovery-codes') cacheFactors(client, true);
    setStep({ name: 'credentials' });
    onClose();
  };
  const added = ({ recoveryCodes }: AddedPasskey) => {
    toast.success('Your passkey was added.');
    // Not earlier than the codes are saved: the list behind the dialog changes with it.
    if (recoveryCodes.length > 0) return setStep({ name: 'recovery-codes', codes: recoveryCodes });
    cacheFactors(client, true);
    close();
  };
  return (
    <Dialog
      open={open}
      dismissible={step.name !== 'recovery-codes'}
      onClose={close}
      title={titles[step.name]}
      description={texts[step.name]}
    >
      {step.name === 'credentials' && (
        <ReauthenticationForm
          twoFactor={twoFactor}
          submitLabel="Continue"
          busyLabel="One moment..."
          call={async (credentials) => (await loadPasskeys()).beginPasskey(credentials)}
          onSuccess={(options) => setStep({ name: 'make', options })}
          onCancel={close}
        />
      )}
      {step.name === 'make' && (
        <CreatePasskeyForm options={step.options} onSuccess={added} onCancel={close} />
      )}
      {step.name === 'recovery-codes' && <RecoveryCodeList codes={step.codes} onSaved={close} />}
    </Dialog>
  );
}

interface CreatePasskeyFormProps {
  options: PasskeyCreationOptions;
  onSuccess: (reply: AddedPasskey) => void;
  onCancel: () => void;
}

const nameSchema = z.object({ name: z.string().max(limits.passkeyNameCharacters) });

/** The button is pressed for the browser's window alone: some open none without a press right before. */
function CreatePasskeyForm({ options, onSuccess, onCancel }: CreatePasskeyFormProps) {
  const form = useForm<{ name: string }>({ resolver: zodResolver(nameSchema), defaultValues: { name: '' } });
  const mutation = useFormMutation(
    form,
    async ({ name }) => (await loadPasskeys()).addPasskey(options, name),
    { onSuccess },
  );
  return (
    <DialogForm
      mutation={mutation}
      submitLabel="Create passkey"
      busyLabel="Waiting for your passkey..."
      onCancel={onCancel}
    >
      <Field
        label="Name (optional)"
        hint="To tell your passkeys apart, such as “Work laptop”."
        autoComplete="off"
        maxLength={limits.passkeyNameCharacters}
        {...registerField(form, 'name')}
      />
    </DialogForm>
  );
}
