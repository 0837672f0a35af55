import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from 'sonner';
import {
  type ChangeEmail,
  type ChangeName,
  changeEmailSchema,
  changeNameSchema,
  limits,
  type Me,
  passwordAndCodeSchema,
  type UserView,
} from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { useFactors } from '#web/lib/passkeys/use-factors.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { CredentialFields, credentialErrorFields } from '#web/ui/credential-fields.tsx';
import { Dialog, DialogButtons, DialogForm } from '#web/ui/dialog.tsx';
import { EmailField } from '#web/ui/email-field.tsx';
import { Field } from '#web/ui/field.tsx';
import { Name } from '#web/ui/name.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { isPasskeyCode, PasskeyCodeButton } from '#web/ui/passkey-button.tsx';
import { Section } from '#web/ui/section.tsx';
import { changeEmail, changeName } from './api.ts';

interface Row {
  label: string;
  value: ReactNode;
  /** Opens the dialog that changes it. */
  onChange?: () => void;
}

/** Name, email, sign-up date and status of the account. */
export function UserInformation({ user }: { user: UserView }) {
  const dates = useDates();
  const [open, setOpen] = useState<'name' | 'email' | null>(null);
  const rows: Row[] = [
    {
      label: 'Name',
      value: <Name>{user.fullName || user.displayName}</Name>,
      onChange: () => setOpen('name'),
    },
    { label: 'Email', value: <Name>{user.email}</Name>, onChange: () => setOpen('email') },
    { label: 'Member since', value: dates.day(user.memberSince) },
    {
      label: 'Account status',
      // Always active: sellers whose account is locked or unverified are not signed in.
      value: (
        <span className="rounded-full bg-good-wash px-3 py-1 text-sm font-semibold text-good">Active</span>
      ),
    },
  ];
  return (
    <Section id="account" title="User information">
      <dl className="divide-y divide-line">
        {rows.map(({ label, value, onChange }) => (
          <div
            key={label}
            className="grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-2 sm:grid-cols-[10rem_minmax(0,1fr)_auto]"
          >
            <dt className="text-sm text-ink-soft max-sm:col-start-1">{label}</dt>
            <dd className="font-medium max-sm:col-start-1">{value}</dd>
            {onChange && (
              <dd className="max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1">
                <Button
                  variant="quiet"
                  className="-mr-3"
                  aria-label={`Change ${label.toLowerCase()}`}
                  onClick={onChange}
                >
                  Change
                </Button>
              </dd>
            )}
          </div>
        ))}
      </dl>
      {open === 'name' && <NameDialog onClose={() => setOpen(null)} fullName={user.fullName} />}
      <EmailDialog
        open={open === 'email'}
        onClose={() => setOpen(null)}
        currentEmail={user.email}
        twoFactor={user.twoFactorEnabled}
      />
    </Section>
  );
}

/** Changes the seller's name. */
function NameDialog({ fullName, onClose }: { fullName: string; onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm<ChangeName>({ resolver: zodResolver(changeNameSchema), defaultValues: { fullName } });
  const mutation = useFormMutation(form, (values) => changeName(values.fullName), {
    onSuccess: ({ user }) => {
      client.setQueryData<Me | null>(queryKeys.me, (me) => me && { ...me, user });
      toast.success('Your name was changed.');
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title="Change your name">
      <DialogForm mutation={mutation} submitLabel="Save" onCancel={onClose}>
        <Field
          label="Full name"
          autoComplete="name"
          required
          maxLength={limits.nameCharacters}
          {...registerField(form, 'fullName')}
        />
      </DialogForm>
    </Dialog>
  );
}

interface EmailDialogProps {
  open: boolean;
  onClose: () => void;
  currentEmail: string;
  /** Whether two-factor sign-in is on: then a code is required. */
  twoFactor: boolean;
}

/** Changes the seller's email; the change takes effect when the link sent to the new address is opened. */
function EmailDialog({ open, onClose, currentEmail, twoFactor }: EmailDialogProps) {
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
        password={registerField(form, 'password')}
        code={twoFactor ? registerField(form, 'code') : undefined}
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
