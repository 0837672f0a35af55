import { Share } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import type { GenerationView } from '#contract';
import type { ExportDialogProps } from '#web/features/exports/export-dialog.tsx';
import { networkError } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { showRefusal } from '#web/ui/show-refusal.ts';

/** The dialog's code; undefined until it is loaded. */
let ExportDialog: ComponentType<ExportDialogProps> | undefined;

async function load(): Promise<void> {
  ExportDialog ??= (await import('#web/features/exports/export-dialog.tsx')).ExportDialog;
}

/** Opens the export of a finished image. Its code is loaded when the seller is about to open it. */
export function ExportButton({ view }: { view: GenerationView }) {
  const [open, setOpen] = useState(false);
  const show = () =>
    load().then(
      () => setOpen(true),
      () => showRefusal(networkError().message),
    );
  return (
    <>
      <Button
        variant="secondary"
        onClick={show}
        onPointerEnter={() => void load().catch(() => {})}
        onFocus={() => void load().catch(() => {})}
      >
        <Share aria-hidden className="size-4.5" />
        Export
      </Button>
      {open && ExportDialog && <ExportDialog view={view} onClose={() => setOpen(false)} />}
    </>
  );
}
