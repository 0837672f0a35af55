import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { type EndTwoFactor, endTwoFactorSchema } from '../../../../shared/contract/index.ts';
import { useFormCall } from '../../lib/form-call.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { endTwoFactor } from './api/end-two-factor.ts';
import { takeTwoFactor } from './take-two-factor.ts';

/** Turns two-factor sign-in off; asks for both factors. */
export function EndTwoFactorDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(now) => !now && onClose()}
      title="Turn off two-factor sign-in?"
      description="Your password alone then protects your account, and your recovery codes stop working."
    >
      <EndForm onClose={onClose} />
    </Dialog>
  );
}

function EndForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm<EndTwoFactor>({
    resolver: zodResolver(endTwoFactorSchema),
    defaultValues: { password: '', code: '' },
  });
  const { errors } = form.formState;
  const { submit, isPending, problem } = useFormCall(form, endTwoFactor, {
    fields: { WRONG_PASSWORD: 'password', CODE_INVALID: 'code' },
    onDone: () => {
      takeTwoFactor(client, false);
      toast.success('Two-factor sign-in is off.');
      onClose();
    },
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
          Keep it on
        </Button>
        <SubmitButton busy={isPending} busyLabel="Turning off...">
          Turn off
        </SubmitButton>
      </DialogButtons>
    </form>
  );
}
