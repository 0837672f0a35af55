import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';

interface ConfirmDialogProps {
  title: string;
  description: string;
  /** Of the button that does it, and while it is being done. */
  label: string;
  busyLabel: string;
  cancelLabel?: string;
  busy: boolean;
  /** Why it was refused. */
  error: string | null;
  /** How far it is. */
  children?: ReactNode;
  onConfirm: () => void;
  /** Is not called while it is being done. */
  onClose: () => void;
}

/** Asks before something is done. It stays open until that is done, and says why it was refused. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, label, busyLabel, cancelLabel = 'Cancel', busy, error, children } = props;
  const { onConfirm, onClose } = props;
  return (
    <Dialog open onClose={() => !busy && onClose()} title={title} description={description}>
      {error !== null && !busy && <Notice tone="danger">{error}</Notice>}
      {children}
      <DialogButtons>
        <Button variant="secondary" disabled={busy} onClick={onClose}>
          {cancelLabel}
        </Button>
        <SubmitButton type="button" busy={busy} busyLabel={busyLabel} onClick={onConfirm}>
          {label}
        </SubmitButton>
      </DialogButtons>
    </Dialog>
  );
}
