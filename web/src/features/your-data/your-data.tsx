import { Download } from 'lucide-react';
import { useState } from 'react';
import { limits, type Me, paths } from '#contract';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Section } from '#web/ui/section.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';

/** Export of the seller's data, and deletion of the account. */
export function YourData({ me }: { me: Me }) {
  const [deleting, setDeleting] = useState(false);
  return (
    <Section id="data" title="Your data">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-[1_1_16rem]">
          <h3 className="font-medium">Export your data</h3>
          <p className="text-sm text-ink-soft">
            A ZIP file with your account, settings, usage, photos and images. Up to {limits.exportsAnHour}{' '}
            exports an hour.
          </p>
        </div>
        <a href={paths.export} download className={buttonClass('secondary')}>
          <Download aria-hidden className="size-4.5" />
          Export my data
        </a>
      </div>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-5">
        <div className="min-w-0 flex-[1_1_16rem]">
          <h3 className="font-medium">Delete your account</h3>
          <p className="text-sm text-ink-soft">
            Deletes your images and ends your subscription. This can't be undone.
          </p>
        </div>
        <Button variant="secondary" className="border-danger! text-danger!" onClick={() => setDeleting(true)}>
          Delete account
        </Button>
      </div>
      <DeleteAccountDialog open={deleting} onClose={() => setDeleting(false)} me={me} />
    </Section>
  );
}
