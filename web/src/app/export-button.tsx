import { Share } from 'lucide-react';
import type { GenerationView } from '#contract';
import { useTakes } from '#web/lib/generations.ts';
import { Button } from '#web/ui/button.tsx';
import { useLoadedDialog } from '#web/ui/use-loaded-dialog.ts';
import { exportDialogCode } from './export-dialog-code.ts';

/** Opens the export of a finished image and, in a set, of the others. */
export function ExportButton({ view }: { view: GenerationView }) {
  const { Dialog, preload, show, close } = useLoadedDialog(exportDialogCode);
  const takes = useTakes(view.set.size > 1 ? view.set.id : null) ?? [view];
  const finished = takes.filter(({ image }) => image !== null);
  return (
    <>
      <Button variant="secondary" onClick={show} onPointerEnter={preload} onFocus={preload}>
        <Share aria-hidden className="size-4.5" />
        Export
      </Button>
      {Dialog && <Dialog images={finished} chosenFirst={view.id} onClose={close} />}
    </>
  );
}
