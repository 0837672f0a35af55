import { ConfirmDialog } from '#web/ui/dialog.tsx';

interface UpdateDialogProps {
  onReload: () => void;
  onLater: () => void;
}

/** Asks to reload a page whose release was replaced a day ago. */
export function UpdateDialog({ onReload, onLater }: UpdateDialogProps) {
  return (
    <ConfirmDialog
      title="Please reload Packshot"
      description="Packshot was updated more than a day ago, and this page is from before that. Some things may stop working until you reload it. Your work is kept."
      label="Reload"
      cancelLabel="Not now"
      onConfirm={onReload}
      onClose={onLater}
    />
  );
}
