import type { FormEventHandler, ReactNode } from 'react';
import { Button } from './button.tsx';
import { DialogButtons } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { SubmitButton } from './submit-button.tsx';

interface DialogFormProps {
  onSubmit: FormEventHandler;
  /** An error that belongs to no field. */
  formError: string | null;
  /** The fields. */
  children: ReactNode;
  busy: boolean;
  submitLabel: string;
  busyLabel: string;
  submitClassName?: string | undefined;
  cancelLabel?: string | undefined;
  onCancel: () => void;
}

/** A form in a dialog, with its error and its two buttons. */
export function DialogForm(props: DialogFormProps) {
  const { onSubmit, formError, children, busy, submitLabel, busyLabel, submitClassName } = props;
  const { cancelLabel = 'Cancel', onCancel } = props;
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-5">
      {formError && <Notice tone="danger">{formError}</Notice>}
      {children}
      <DialogButtons>
        <Button variant="secondary" onClick={onCancel}>
          {cancelLabel}
        </Button>
        <SubmitButton busy={busy} busyLabel={busyLabel} className={submitClassName}>
          {submitLabel}
        </SubmitButton>
      </DialogButtons>
    </form>
  );
}
