import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';

interface DiscardDialogProps {
  open: boolean;
  onKeep: () => void;
  onDiscard: () => void;
}

/** Asks before edits that are not saved are lost. */
export function DiscardDialog({ open, onKeep, onDiscard }: DiscardDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onKeep}
      title="Discard your edits?"
      description="They are not saved. The image stays as it was before."
    >
      <DialogButtons>
        <Button variant="secondary" onClick={onKeep}>
          Keep editing
        </Button>
        <Button onClick={onDiscard}>Discard</Button>
      </DialogButtons>
    </Dialog>
  );
}
