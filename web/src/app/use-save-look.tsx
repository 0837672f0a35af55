import { type ComponentType, type ReactNode, useState } from 'react';
import type { GenerationView } from '#contract';
import type { SaveLookDialogProps } from '#web/features/looks/save-look-dialog.tsx';
import { networkError } from '#web/lib/api.ts';
import { showRefusal } from '#web/ui/show-refusal.ts';

/** The dialog's code; undefined until it is loaded, when it is first opened. */
let SaveLookDialog: ComponentType<SaveLookDialogProps> | undefined;

async function load(): Promise<void> {
  SaveLookDialog ??= (await import('#web/features/looks/save-look-dialog.tsx')).SaveLookDialog;
}

/** The dialog that saves a finished image as a look, and what opens it. */
export function useSaveLook(view: GenerationView): { saveLook: () => void; saveLookDialog: ReactNode } {
  const [open, setOpen] = useState(false);
  const saveLook = () =>
    void load().then(
      () => setOpen(true),
      () => showRefusal(networkError().message),
    );
  return {
    saveLook,
    saveLookDialog: open && SaveLookDialog && <SaveLookDialog view={view} onClose={() => setOpen(false)} />,
  };
}
