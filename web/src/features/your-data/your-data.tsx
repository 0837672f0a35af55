import { Download } from 'lucide-react';
import { useState } from 'react';
import { limits, type Me } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/section.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { ExportDataDialog } from './export-data-dialog.tsx';

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
