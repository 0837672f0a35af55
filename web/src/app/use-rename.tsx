import type { ReactNode } from 'react';
import type { GenerationView } from '#contract';
import { createComponentCode } from '#web/lib/component-code.ts';
import { useLoadedDialog } from '#web/ui/use-loaded-dialog.ts';

const dialogCode = createComponentCode(
  async () => (await import('#web/features/library/rename-dialog.tsx')).RenameDialog,
);

/** The dialog that renames a generation, and what opens it. */
export function useRename(view: GenerationView): { rename: () => void; renameDialog: ReactNode } {
  const { Dialog, show, close } = useLoadedDialog(dialogCode);
  return {
    rename: show,
    renameDialog: Dialog && <Dialog view={view} onClose={close} />,
  };
}
