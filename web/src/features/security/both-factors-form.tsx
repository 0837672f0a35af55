import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { type PasswordAndCode, passwordAndCodeSchema } from '#contract';
import { useFormCall } from '#web/lib/form-call.ts';
import { Button } from '#web/ui/button.tsx';
import { CodeField } from '#web/ui/code-field.tsx';
import { DialogButtons } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';

interface BothFactorsFormProps<Reply> {
  /** What the buttons read: the one that sends it, while it is sent, and the one that leaves. */
  label: string;
  busyLabel: string;
  closeLabel: string;
  call: (body: PasswordAndCode) => Promise<Reply>;
  onDone: (reply: Reply) => void;
  onClose: () => void;
}

/** Asks for the password and a code once more, within a dialog. */
export function BothFactorsForm<Reply>(props: BothFactorsFormProps<Reply>) {
  const { label, busyLabel, closeLabel, call, onDone, onClose } = props;
  const form = useForm<PasswordAndCode>({
    resolver: zodResolver(passwordAndCodeSchema),
    defaultValues: { password: '', code: '' },
  });
  const { errors } = form.formState;
  const { submit, isPending, problem } = useFormCall(form, call, {
    fields: { WRONG_PASSWORD: 'password', CODE_INVALID: 'code' },
    onDone,
  });
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {problem && <Notice tone="danger">{problem}</Notice>}
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        error={errors.password?.message}
        {...form.register('password')}
      />
      <CodeField error={errors.code?.message} {...form.register('code')} />
      <DialogButtons>
        <Button look="secondary" onClick={onClose}>
          {closeLabel}
        </Button>
        <SubmitButton busy={isPending} busyLabel={busyLabel}>
          {label}
        </SubmitButton>
      </DialogButtons>
    </form>
  );
}
