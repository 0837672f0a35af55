import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { limits, type PasskeyView, type RenamePasskey, renamePasskeySchema } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { renamePasskey } from './api.ts';

interface RenamePasskeyDialogProps {
  open: boolean;
  onClose: () => void;
  passkey: PasskeyView;
}

/** Gives a passkey another name. */
export function RenamePasskeyDialog({ open, onClose, passkey }: RenamePasskeyDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Rename passkey">
      <NameForm passkey={passkey} onClose={onClose} />
    </Dialog>
  );
}

function NameForm({ passkey, onClose }: Omit<RenamePasskeyDialogProps, 'open'>) {
  const client = useQueryClient();
  const form = useForm<RenamePasskey>({
    resolver: zodResolver(renamePasskeySchema),
    defaultValues: { name: passkey.name },
  });
  const { submit, isPending, formError } = useFormMutation(
    form,
    ({ name }) => renamePasskey(passkey.id, name),
    {
      onSuccess: () => {
        client.invalidateQueries({ queryKey: queryKeys.factors });
        onClose();
      },
    },
  );
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
        label="Name"
        autoComplete="off"
        maxLength={limits.passkeyNameCharacters}
        required
        error={form.formState.errors.name?.message}
        {...form.register('name')}
      />
    </DialogForm>
  );
}
