import { createComponentCode } from '#web/lib/component-code.ts';

/** The dialog that exports images, which is loaded when a seller is about to open it. */
export const exportDialogCode = createComponentCode(
  async () => (await import('#web/features/exports/export-dialog.tsx')).ExportDialog,
);
