import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { type ChangeName, changeNameSchema, limits, type Me } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { changeName } from './api.ts';

interface NameDialogProps {
  open: boolean;
  onClose: () => void;
  fullName: string;
}

/** Changes the seller's name. */
export function NameDialog({ open, onClose, fullName }: NameDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Change your name">
      <NameForm fullName={fullName} onClose={onClose} />
    </Dialog>
  );
}

function NameForm({ fullName, onClose }: { fullName: string; onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm<ChangeName>({ resolver: zodResolver(changeNameSchema), defaultValues: { fullName } });
  const { submit, isPending, formError } = useFormMutation(form, (values) => changeName(values.fullName), {
    onSuccess: ({ user }) => {
      client.setQueryData<Me | null>(queryKeys.me, (me) => me && { ...me, user });
      toast.success('Your name was changed.');
      onClose();
    },
  });
  return (
    <DialogForm
      onSubmit={submit}
      formError={formError}
      busy={isPending}
      submitLabel="Save"
      busyLabel="Saving..."
      onCancel={onClose}
    >
      <Field
        label="Full name"
        autoComplete="name"
        required
        maxLength={limits.nameCharacters}
        error={form.formState.errors.fullName?.message}
        {...form.register('fullName')}
      />
    </DialogForm>
  );
}
