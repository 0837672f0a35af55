import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { codeOnlySchema, passwordOnlySchema } from '#contract';
import { onUnconfirmed, type Unconfirmed } from '#web/lib/api.ts';
import { useMe } from '#web/lib/session.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { CodeField, CredentialFields } from '#web/ui/credential-fields.tsx';
import { Dialog, DialogForm } from '#web/ui/dialog.tsx';
import { confirm } from './api.ts';

/** What waits for the answer: calls at the same moment share one dialog. */
interface Question {
  code: Unconfirmed;
  answer: Promise<boolean>;
  resolve: (confirmed: boolean) => void;
}

function newQuestion(code: Unconfirmed): Question {
  let resolve: Question['resolve'] = () => {};
  const answer = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  return { code, answer, resolve };
}

/** While it is on the page, a call that needs a confirmed session asks for it in a dialog, and is then repeated. */
export function OperatorConfirmation() {
  const [asked, setAsked] = useState<Question | null>(null);
  useEffect(() => {
    let open: Question | null = null;
    let declined = false;
    onUnconfirmed((code) => {
      // Pages fetch again every few seconds: a dialog about that, once closed, stays closed. Actions ask each time.
      if (declined && code === 'OPERATOR_CODE') return Promise.resolve(false);
      if (!open) {
        const question = newQuestion(code);
        open = question;
        setAsked(question);
        void question.answer.then((confirmed) => {
          declined = !confirmed && code === 'OPERATOR_CODE';
          open = null;
          setAsked(null);
        });
      }
      return open.answer;
    });
    return () => {
      onUnconfirmed(null);
      open?.resolve(false);
    };
  }, []);
  return (
    asked && (
      <Dialog
        open
        onClose={() => asked.resolve(false)}
        title="Confirm that it's you"
        description={
          asked.code === 'OPERATOR_CODE'
            ? 'You signed in without a code. The operator pages need one.'
            : 'Actions of operators need your password or a code, given within the last ten minutes.'
        }
      >
        <ConfirmationForm codeOnly={asked.code === 'OPERATOR_CODE'} onEnd={asked.resolve} />
      </Dialog>
    )
  );
}

interface ConfirmationFormProps {
  codeOnly: boolean;
  onEnd: (confirmed: boolean) => void;
}

function ConfirmationForm({ codeOnly, onEnd }: ConfirmationFormProps) {
  const [withCode, setWithCode] = useState(codeOnly);
  const Form = withCode ? CodeForm : PasswordForm;
  return (
    <>
      <Form onEnd={onEnd} />
      {!codeOnly && (
        <button
          type="button"
          onClick={() => setWithCode(!withCode)}
          className={`${textLinkClass} mt-3 inline-flex min-h-11 items-center text-sm`}
        >
          {withCode ? 'Use the password instead' : 'Use a code instead'}
        </button>
      )}
    </>
  );
}

type FormProps = Pick<ConfirmationFormProps, 'onEnd'>;
const labels = { submitLabel: 'Confirm', busyLabel: 'Checking…' };

function PasswordForm({ onEnd }: FormProps) {
  const { data: me } = useMe();
  const form = useForm({ resolver: zodResolver(passwordOnlySchema), defaultValues: { password: '' } });
  const mutation = useFormMutation(form, confirm, {
    fields: { WRONG_PASSWORD: 'password' },
    onSuccess: () => onEnd(true),
  });
  return (
    <DialogForm {...labels} mutation={mutation} onCancel={() => onEnd(false)}>
      <CredentialFields username={me?.user.email ?? ''} password={registerField(form, 'password')} />
    </DialogForm>
  );
}

function CodeForm({ onEnd }: FormProps) {
  const form = useForm({ resolver: zodResolver(codeOnlySchema), defaultValues: { code: '' } });
  const mutation = useFormMutation(form, confirm, {
    fields: { CODE_INVALID: 'code' },
    onSuccess: () => onEnd(true),
  });
  return (
    <DialogForm {...labels} mutation={mutation} onCancel={() => onEnd(false)}>
      <CodeField {...registerField(form, 'code')} />
    </DialogForm>
  );
}
