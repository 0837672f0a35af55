import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  description: string;
  /** Of the button that does it. */
  label: string;
  cancelLabel?: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is done. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, label, cancelLabel = 'Cancel', onConfirm, onClose } = props;
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <DialogButtons>
        <Button variant="secondary" onClick={onClose}>
          {cancelLabel}
        </Button>
        <Button
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {label}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
