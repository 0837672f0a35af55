import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { type ChangeName, changeNameSchema, limits, type Me } from '#contract';
import { useFormCall } from '#web/lib/form-call.ts';
import { keys } from '#web/lib/generations/cache.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { changeName } from './api/change-name.ts';

interface NameDialogProps {
  open: boolean;
  onClose: () => void;
  fullName: string;
}

/** Changes the seller's name. */
export function NameDialog({ open, onClose, fullName }: NameDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(now) => !now && onClose()} title="Change your name">
      <NameForm fullName={fullName} onClose={onClose} />
    </Dialog>
  );
}

function NameForm({ fullName, onClose }: { fullName: string; onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm<ChangeName>({ resolver: zodResolver(changeNameSchema), defaultValues: { fullName } });
  const { submit, isPending, problem } = useFormCall(form, (values) => changeName(values.fullName), {
    onDone: (me) => {
      client.setQueryData<Me | null>(keys.me, (held) => held && { ...held, user: me.user });
      toast.success('Your name is changed.');
      onClose();
    },
  });
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {problem && <Notice tone="danger">{problem}</Notice>}
      <Field
        label="Full name"
        autoComplete="name"
        required
        maxLength={limits.nameCharacters}
        error={form.formState.errors.fullName?.message}
        {...form.register('fullName')}
      />
      <DialogButtons>
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton busy={isPending} busyLabel="Saving...">
          Save
        </SubmitButton>
      </DialogButtons>
    </form>
  );
}
