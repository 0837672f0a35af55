import { zodResolver } from '@hookform/resolvers/zod';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { operatorReasonOnlySchema } from '#contract';
import { usePage } from '#web/lib/page.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Dialog, DialogForm } from './dialog.tsx';
import { TextAreaField } from './field.tsx';

/** The heading of one of the operator's pages. */
export function OperatorHeading({ children }: { children: string }) {
  const heading = usePage(`${children} · Operator`);
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className="text-xl font-semibold break-words lg:flex lg:min-h-11 lg:items-center"
    >
      {children}
    </h1>
  );
}

/** Named facts, one a line. */
export function Facts({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-[0.9375rem]">
      {items.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Named figures side by side, such as the numbers of jobs. */
export function Figures({ items }: { items: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-[repeat(auto-fit,minmax(7rem,1fr))]">
      {items.map(({ name, value }) => (
        <div key={name} className="flex flex-col-reverse justify-end">
          <dt className="text-sm text-ink-soft">{name}</dt>
          <dd className="text-2xl font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ReasonDialogProps<Reply> {
  title: string;
  /** What will happen. */
  description: ReactNode;
  submitLabel: string;
  run: (reason: string) => Promise<Reply>;
  onDone: (reply: Reply) => void;
  onClose: () => void;
  /** True if something follows in its place: `onClose` is not called after `onDone`. */
  staysOpen?: boolean;
}

/** Asks an operator why, then runs an action. The reason goes into the audit log. */
export function ReasonDialog<Reply>(props: ReasonDialogProps<Reply>) {
  const { title, description, submitLabel, run, onDone, onClose, staysOpen = false } = props;
  const form = useForm({ resolver: zodResolver(operatorReasonOnlySchema), defaultValues: { reason: '' } });
  const mutation = useFormMutation(form, ({ reason }) => run(reason), {
    onSuccess: (reply) => {
      onDone(reply);
      if (!staysOpen) onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <DialogForm mutation={mutation} submitLabel={submitLabel} busyLabel="One moment…" onCancel={onClose}>
        <TextAreaField label="Reason, for the audit log" rows={2} {...registerField(form, 'reason')} />
      </DialogForm>
    </Dialog>
  );
}
