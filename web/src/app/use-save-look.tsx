import type { ReactNode } from 'react';
import type { GenerationView } from '#contract';
import { createComponentCode } from '#web/lib/component-code.ts';
import { useLoadedDialog } from '#web/ui/use-loaded-dialog.ts';

const dialogCode = createComponentCode(
  async () => (await import('#web/features/looks/save-look-dialog.tsx')).SaveLookDialog,
);

/** The dialog that saves a finished image as a look, and what opens it. */
export function useSaveLook(view: GenerationView): { saveLook: () => void; saveLookDialog: ReactNode } {
  const { Dialog, show, close } = useLoadedDialog(dialogCode);
  return {
    saveLook: show,
    saveLookDialog: Dialog && <Dialog view={view} onClose={close} />,
  };
}
