import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type ChangeEmail, changeEmailSchema, limits, passwordAndCodeSchema } from '#contract';
import { useFactors } from '#web/lib/passkeys/use-factors.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { CredentialFields, credentialErrorFields } from '#web/ui/credential-fields.tsx';
import { Dialog, DialogButtons, DialogForm } from '#web/ui/dialog.tsx';
import { EmailField } from '#web/ui/field.tsx';
import { Name } from '#web/ui/name.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { isPasskeyCode, PasskeyCodeButton } from '#web/ui/passkey-button.tsx';
import { changeEmail } from './api.ts';

interface EmailDialogProps {
  open: boolean;
  onClose: () => void;
  currentEmail: string;
  /** Whether two-factor sign-in is on: then a code is required. */
  twoFactor: boolean;
}

/** Changes the seller's email; the change takes effect when the link sent to the new address is opened. */
export function EmailDialog({ open, onClose, currentEmail, twoFactor }: EmailDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Change your email"
      description={
        <>
          You sign in with <Name>{currentEmail}</Name> until the new address is confirmed.
        </>
      }
    >
      <EmailDialogContent onClose={onClose} currentEmail={currentEmail} twoFactor={twoFactor} />
    </Dialog>
  );
}

type ContentProps = Omit<EmailDialogProps, 'open'>;

function EmailDialogContent({ onClose, ...account }: ContentProps) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo === null) return <EmailForm onClose={onClose} onSent={setSentTo} {...account} />;
  return (
    <>
      <Notice tone="good">
        We sent a link to {sentTo}. Open it within {limits.verificationHours} hours and enter your password to
        confirm the address.
      </Notice>
      <DialogButtons>
        <Button autoFocus onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </>
  );
}

function EmailForm({
  onClose,
  currentEmail,
  twoFactor,
  onSent,
}: ContentProps & { onSent: (email: string) => void }) {
  const form = useForm<ChangeEmail>({
    resolver: zodResolver(
      twoFactor ? changeEmailSchema.extend(passwordAndCodeSchema.shape) : changeEmailSchema,
    ),
    defaultValues: twoFactor ? { email: '', password: '', code: '' } : { email: '', password: '' },
  });
  const { errors } = form.formState;
  const { data: factors } = useFactors({ enabled: twoFactor });
  const mutation = useFormMutation(form, changeEmail, {
    fields: credentialErrorFields(twoFactor),
    onSuccess: (_reply, { email }) => onSent(email),
    onError: () => {
      if (isPasskeyCode(form.getValues('code'))) form.setValue('code', '');
    },
  });
  return (
    <DialogForm mutation={mutation} submitLabel="Send link" busyLabel="Sending..." onCancel={onClose}>
      <EmailField label="New email" autoComplete="email" {...registerField(form, 'email')} />
      <CredentialFields
        username={currentEmail}
        label="Current password"
        passwordInput={form.register('password')}
        passwordError={errors.password?.message}
        codeInput={twoFactor ? form.register('code') : undefined}
        codeError={errors.code?.message}
        hasApp={factors?.app}
      />
      {twoFactor && (factors?.passkeys.length ?? 0) > 0 && (
        <PasskeyCodeButton
          isReady={() => form.trigger(['email', 'password'], { shouldFocus: true })}
          onCode={(code) => {
            form.setValue('code', code);
            mutation.submit();
          }}
        />
      )}
    </DialogForm>
  );
}
