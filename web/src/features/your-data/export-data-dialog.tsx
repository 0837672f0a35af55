import { useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { limits, type Me } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { ReauthenticationForm } from '#web/ui/reauthentication-form.tsx';
import { exportData } from './api.ts';

interface ExportDataDialogProps {
  open: boolean;
  onClose: () => void;
  me: Me;
}

/** Asks for the seller's credentials, then offers the ZIP as a link: browsers save it while it arrives, however large it is. */
export function ExportDataDialog({ open, onClose, me }: ExportDataDialogProps) {
  const client = useQueryClient();
  const [url, setUrl] = useState<string | null>(null);
  const close = () => {
    setUrl(null);
    onClose();
  };
  if (url !== null) {
    return (
      <Dialog
        open={open}
        onClose={close}
        title="Your export is ready"
        description={`Start the download within ${limits.exportTicketSeconds} seconds. After that, enter your password again.`}
      >
        <DialogButtons>
          <Button variant="secondary" onClick={close}>
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
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Export your data"
      description="Please enter your password. We'll also let you know by email that your data was exported."
    >
      <ReauthenticationForm
        twoFactor={me.user.twoFactorEnabled}
        submitLabel="Continue"
        busyLabel="One moment..."
        call={exportData}
        onSuccess={(reply) => {
          client.invalidateQueries({ queryKey: queryKeys.activity });
          setUrl(reply.url);
        }}
        onCancel={close}
      />
    </Dialog>
  );
}
