import { useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { limits, liveStatuses, type Me, plans } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { endSession, expectSessionEnd } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ExportReadyDialog } from '#web/ui/export-ready-dialog.tsx';
import { ReauthenticationForm } from '#web/ui/reauthentication-form.tsx';
import { Section } from '#web/ui/section.tsx';
import { deleteAccount, exportData } from './api.ts';

/** Export of the seller's data, and deletion of the account. */
export function YourData({ me }: { me: Me }) {
  const [exporting, setExporting] = useState(false);
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      <Section id="export" title="Export your data">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="min-w-0 flex-[1_1_16rem] text-ink-soft">
            A ZIP file with your account, settings, usage, photos and images. Up to {limits.exportsAnHour}{' '}
            exports an hour.
          </p>
          <Button variant="secondary" onClick={() => setExporting(true)}>
            <Download aria-hidden className="size-4.5" />
            Export my data
          </Button>
        </div>
        <ExportDataDialog open={exporting} onClose={() => setExporting(false)} me={me} />
      </Section>
      <Section id="delete" title="Delete your account">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="min-w-0 flex-[1_1_16rem] text-ink-soft">
            Deletes your images and ends your subscription. This can't be undone.
          </p>
          <Button
            variant="secondary"
            className="border-danger! text-danger!"
            onClick={() => setDeleting(true)}
          >
            Delete account
          </Button>
        </div>
        <DeleteAccountDialog open={deleting} onClose={() => setDeleting(false)} me={me} />
      </Section>
    </>
  );
}

interface ExportDataDialogProps {
  open: boolean;
  onClose: () => void;
  me: Me;
}

/** Asks for the seller's credentials, then offers the ZIP as a link: browsers save it while it arrives, however large it is. */
function ExportDataDialog({ open, onClose, me }: ExportDataDialogProps) {
  const client = useQueryClient();
  const [url, setUrl] = useState<string | null>(null);
  const close = () => {
    setUrl(null);
    onClose();
  };
  if (url !== null) {
    return (
      <ExportReadyDialog
        open={open}
        title="Your export is ready"
        afterwards="enter your password again."
        url={url}
        onClose={close}
      />
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

interface DeleteAccountDialogProps {
  open: boolean;
  onClose: () => void;
  me: Me;
}

/** Explains what is deleted with the account, and asks for the seller's credentials. */
function DeleteAccountDialog({ open, onClose, me }: DeleteAccountDialogProps) {
  const client = useQueryClient();
  const { subscription } = me;
  const packImages = subscription.packImages?.left ?? 0;
  const subscribed = liveStatuses.includes(subscription.status);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Delete your account?"
      description={
        <ul className="ml-5 grid list-disc gap-1.5">
          <li>
            Your photos and images, also those in the trash, will be deleted. Download what you want to keep
            first.
          </li>
          {subscribed && (
            <li>
              Your {plans[subscription.plan].name} subscription ends immediately. The unused part isn't
              refunded.
            </li>
          )}
          {packImages > 0 && (
            <li>
              Your {countText(packImages, 'image')} from packs will be lost. Contact us first if you want a
              refund for them.
            </li>
          )}
          <li>This can't be undone.</li>
        </ul>
      }
    >
      <ReauthenticationForm
        twoFactor={me.user.twoFactorEnabled}
        submitLabel="Delete permanently"
        busyLabel="Deleting..."
        submitClassName="bg-danger! text-page! not-disabled:hover:opacity-90"
        cancelLabel="Keep my account"
        call={(credentials) => {
          expectSessionEnd('account-deleted');
          return deleteAccount(credentials);
        }}
        onSuccess={() => endSession(client, 'account-deleted')}
        onError={() => expectSessionEnd(null)}
        onCancel={onClose}
      />
    </Dialog>
  );
}
