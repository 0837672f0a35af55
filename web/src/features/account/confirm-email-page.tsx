import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  type ConfirmEmail,
  confirmEmailSchema,
  pages,
  passwordAndCodeSchema,
  type SecondFactor,
} from '#contract';
import { ApiError } from '#web/lib/api.ts';
import { usePage } from '#web/lib/page.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { CredentialFields } from '#web/ui/credential-fields.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { isPasskeyCode, PasskeyCodeButton } from '#web/ui/passkey-button.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { AccountPage } from './account-page.tsx';
import { confirmEmail } from './api.ts';
import { LinkDone, LinkExpired } from './link-page.tsx';
import { useLinkAddress } from './use-link-address.ts';
import { useLinkToken } from './use-link-token.ts';

/** Target of the link in the mail to a new address: asks for the password, then changes the account's email. */
export function ConfirmEmailPage() {
  const headingRef = usePage('Confirm your new email');
  const token = useLinkToken();
  const [state, setState] = useState<'form' | 'done' | 'expired'>(token === '' ? 'expired' : 'form');
  if (state === 'done') {
    return (
      <LinkDone
        headingRef={headingRef}
        title="Your new email is confirmed"
        lead="Use it to sign in from now on."
      />
    );
  }
  if (state === 'expired') {
    return (
      <LinkExpired
        headingRef={headingRef}
        lead="It was already used, is too old, or the email now belongs to another account. Your account settings show your current email, and you can request a new link there."
        to={pages.profile}
        label="Open your account settings"
      />
    );
  }
  return (
    <AccountPage
      headingRef={headingRef}
      title="Confirm your new email"
      lead="Enter your password. From then on you sign in with this email."
    >
      <ConfirmForm token={token} onDone={() => setState('done')} onExpired={() => setState('expired')} />
    </AccountPage>
  );
}

interface ConfirmFormProps {
  token: string;
  onDone: () => void;
  /** Called if the link has expired. */
  onExpired: () => void;
}

function ConfirmForm({ token, onDone, onExpired }: ConfirmFormProps) {
  const client = useQueryClient();
  const username = useLinkAddress(token);
  const [needsCode, setNeedsCode] = useState(false);
  const [factors, setFactors] = useState<readonly SecondFactor[]>([]);
  const form = useForm<Omit<ConfirmEmail, 'token'>>({
    resolver: zodResolver(needsCode ? passwordAndCodeSchema : confirmEmailSchema.omit({ token: true })),
    defaultValues: { password: '' },
  });
  const { submit, isPending, error, formError } = useFormMutation(
    form,
    (values) => confirmEmail({ token, ...values }),
    {
      fields: { WRONG_PASSWORD: 'password', CODE_INVALID: 'code' },
      onSuccess: () => {
        client.invalidateQueries({ queryKey: queryKeys.me });
        onDone();
      },
      onError: (failure) => {
        const code = failure instanceof ApiError ? failure.code : null;
        if (isPasskeyCode(form.getValues('code'))) form.setValue('code', '');
        if (code === 'CODE_REQUIRED') {
          setNeedsCode(true);
          setFactors((failure as ApiError).factors);
        } else if (code === 'TOKEN_INVALID') onExpired();
      },
    },
  );
  const { setFocus } = form;
  useEffect(() => {
    if (needsCode) setFocus('code');
  }, [needsCode, setFocus]);
  // The next step, not a failure.
  const asksForCode = error instanceof ApiError && error.code === 'CODE_REQUIRED';
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {formError && <Notice tone={asksForCode ? 'info' : 'danger'}>{formError}</Notice>}
      <CredentialFields
        username={username}
        password={registerField(form, 'password')}
        code={needsCode ? registerField(form, 'code') : undefined}
        hasApp={factors.length === 0 || factors.includes('app')}
      />
      {needsCode && factors.includes('passkey') && (
        <PasskeyCodeButton
          label="Use your passkey"
          isReady={() => form.trigger('password', { shouldFocus: true })}
          onCode={(code) => {
            form.setValue('code', code);
            submit();
          }}
        />
      )}
      <SubmitButton busy={isPending} busyLabel="Confirming...">
        Confirm email
      </SubmitButton>
    </form>
  );
}
