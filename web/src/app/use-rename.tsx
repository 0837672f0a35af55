import { type ComponentType, type ReactNode, useState } from 'react';
import type { GenerationView } from '#contract';
import type { RenameDialogProps } from '#web/features/library/rename-dialog.tsx';
import { networkError } from '#web/lib/api.ts';
import { showRefusal } from '#web/ui/show-refusal.ts';

/** The dialog's code; undefined until it is loaded, when it is first opened. */
let RenameDialog: ComponentType<RenameDialogProps> | undefined;

async function load(): Promise<void> {
  RenameDialog ??= (await import('#web/features/library/rename-dialog.tsx')).RenameDialog;
}

/** The dialog that renames a generation, and what opens it. */
export function useRename(view: GenerationView): { rename: () => void; renameDialog: ReactNode } {
  const [open, setOpen] = useState(false);
  const rename = () =>
    void load().then(
      () => setOpen(true),
      () => showRefusal(networkError().message),
    );
  return {
    rename,
    renameDialog: open && RenameDialog && <RenameDialog view={view} onClose={() => setOpen(false)} />,
  };
}
