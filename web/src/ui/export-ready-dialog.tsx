import { Download } from 'lucide-react';
import { limits } from '#contract';
import { Button, buttonClass } from './button.tsx';
import { Dialog, DialogButtons } from './dialog.tsx';

/** Shown when an export of somebody's data can be downloaded. @param afterwards what to do when its time is over */
export function ExportReadyDialog({
  title,
  afterwards,
  url,
  onClose,
  open = true,
}: {
  title: string;
  afterwards: string;
  url: string;
  onClose: () => void;
  open?: boolean;
}) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={`Start the download within ${limits.exportTicketSeconds} seconds. After that, ${afterwards}`}
    >
      <DialogButtons>
        <Button variant="secondary" onClick={onClose}>
          Close
        </Button>
        <a href={url} download className={buttonClass('primary')}>
          <Download aria-hidden className="size-4.5" />
          Download ZIP
        </a>
      </DialogButtons>
    </Dialog>
  );
}
