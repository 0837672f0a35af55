import { zodResolver } from '@hookform/resolvers/zod';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { operatorReasonOnlySchema } from '#contract';
import { useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Dialog } from './dialog.tsx';
import { DialogForm } from './dialog-form.tsx';
import { TextAreaField } from './text-area-field.tsx';

interface ReasonDialogProps<Reply> {
  title: string;
  /** What will happen. */
  description: ReactNode;
  submitLabel: string;
  run: (reason: string) => Promise<Reply>;
  onDone: (reply: Reply) => void;
  onClose: () => void;
}

/** Asks an operator why, then runs an action. The reason goes into the audit log. */
export function ReasonDialog<Reply>(props: ReasonDialogProps<Reply>) {
  const { title, description, submitLabel, run, onDone, onClose } = props;
  const form = useForm({ resolver: zodResolver(operatorReasonOnlySchema), defaultValues: { reason: '' } });
  const { submit, isPending, formError } = useFormMutation(form, ({ reason }) => run(reason), {
    onSuccess: (reply) => {
      onDone(reply);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <DialogForm
        onSubmit={submit}
        formError={formError}
        busy={isPending}
        submitLabel={submitLabel}
        busyLabel="One moment…"
        onCancel={onClose}
      >
        <TextAreaField
          label="Reason, for the audit log"
          rows={2}
          error={form.formState.errors.reason?.message}
          {...form.register('reason')}
        />
      </DialogForm>
    </Dialog>
  );
}
