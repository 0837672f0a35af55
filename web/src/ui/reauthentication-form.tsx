import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { type DeleteAccount, passwordAndCodeSchema, passwordOnlySchema } from '#contract';
import { useFactors } from '#web/lib/passkeys/use-factors.ts';
import { useMe } from '#web/lib/session.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { CredentialFields, credentialErrorFields } from './credential-fields.tsx';
import { DialogForm } from './dialog.tsx';
import { isPasskeyCode, PasskeyCodeButton } from './passkey-button.tsx';

type Credentials<TwoFactor extends boolean> = TwoFactor extends true
  ? { password: string; code: string }
  : { password: string; code?: string };

interface ReauthenticationFormProps<Reply, TwoFactor extends boolean> {
  /** Whether a code is required, too. */
  twoFactor: TwoFactor;
  submitLabel: string;
  busyLabel: string;
  submitClassName?: string;
  cancelLabel?: string;
  call: (credentials: Credentials<TwoFactor>) => Promise<Reply>;
  onSuccess: (reply: Reply) => void;
  onError?: () => void;
  onCancel: () => void;
}

/** A dialog's form that asks for the seller's credentials again before a sensitive action. */
export function ReauthenticationForm<Reply, TwoFactor extends boolean>(
  props: ReauthenticationFormProps<Reply, TwoFactor>,
) {
  const { twoFactor, call, onSuccess, onError, ...rest } = props;
  const form = useForm<DeleteAccount>({
    resolver: zodResolver(twoFactor ? passwordAndCodeSchema : passwordOnlySchema),
    defaultValues: twoFactor ? { password: '', code: '' } : { password: '' },
  });
  const { data: me } = useMe();
  const { data: factors } = useFactors({ enabled: twoFactor });
  // The answer of an earlier form may be in the cache.
  const offersPasskey = twoFactor && (factors?.passkeys.length ?? 0) > 0;
  const mutation = useFormMutation(form, (values) => call(values as Credentials<TwoFactor>), {
    fields: credentialErrorFields(twoFactor),
    onSuccess,
    onError: () => {
      if (isPasskeyCode(form.getValues('code'))) form.setValue('code', '');
      onError?.();
    },
  });
  return (
    <DialogForm mutation={mutation} {...rest}>
      <CredentialFields
        username={me?.user.email ?? ''}
        password={registerField(form, 'password')}
        code={twoFactor ? registerField(form, 'code') : undefined}
        hasApp={factors?.app}
      />
      {offersPasskey && (
        <PasskeyCodeButton
          isReady={() => form.trigger('password', { shouldFocus: true })}
          onCode={(code) => {
            form.setValue('code', code);
            mutation.submit();
          }}
        />
      )}
    </DialogForm>
  );
}
