import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { type PasswordOnly, passwordOnlySchema } from '#contract';
import { useFormCall } from '#web/lib/form-call.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogButtons } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';

interface PasswordFormProps<Reply> {
  /** What the button reads. */
  label: string;
  call: (password: string) => Promise<Reply>;
  onDone: (reply: Reply) => void;
  onClose: () => void;
}

/** Asks for the password once more, within a dialog. */
export function PasswordForm<Reply>({ label, call, onDone, onClose }: PasswordFormProps<Reply>) {
  const form = useForm<PasswordOnly>({
    resolver: zodResolver(passwordOnlySchema),
    defaultValues: { password: '' },
  });
  const { submit, isPending, problem } = useFormCall(form, ({ password }) => call(password), {
    fields: { WRONG_PASSWORD: 'password' },
    onDone,
  });
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {problem && <Notice tone="danger">{problem}</Notice>}
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        error={form.formState.errors.password?.message}
        {...form.register('password')}
      />
      <DialogButtons>
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton busy={isPending} busyLabel="One moment...">
          {label}
        </SubmitButton>
      </DialogButtons>
    </form>
  );
}
