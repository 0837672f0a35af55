import { Share } from 'lucide-react';
import type { GenerationView } from '#contract';
import { createComponentCode } from '#web/lib/component-code.ts';
import { Button } from '#web/ui/button.tsx';
import { useLoadedDialog } from '#web/ui/use-loaded-dialog.ts';

const dialogCode = createComponentCode(
  async () => (await import('#web/features/exports/export-dialog.tsx')).ExportDialog,
);

/** Opens the export of a finished image. Its code is loaded when the seller is about to open it. */
export function ExportButton({ view }: { view: GenerationView }) {
  const { Dialog, preload, show, close } = useLoadedDialog(dialogCode);
  return (
    <>
      <Button variant="secondary" onClick={show} onPointerEnter={preload} onFocus={preload}>
        <Share aria-hidden className="size-4.5" />
        Export
      </Button>
      {Dialog && <Dialog view={view} onClose={close} />}
    </>
  );
}
