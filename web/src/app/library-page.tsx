import { useState } from 'react';
import { limits, pages } from '#contract';
import { Library, type Marked } from '#web/features/library/library.tsx';
import { LibraryTabs } from '#web/features/library/library-tabs.tsx';
import { useProjects } from '#web/features/projects/api.ts';
import { MoveImagesDialog } from '#web/features/projects/move-images-dialog.tsx';
import { usePage } from '#web/lib/page.ts';
import { PageHeader } from '#web/ui/page-header.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { useLoadedDialog } from '#web/ui/use-loaded-dialog.ts';
import { exportDialogCode } from './export-dialog-code.ts';

/** All images of the seller. */
export function LibraryPage() {
  const heading = usePage('Library');
  const { data: projects = [] } = useProjects();
  const [moved, setMoved] = useState<Marked>();
  const [exported, setExported] = useState<Marked['views']>([]);
  const exportDialog = useLoadedDialog(exportDialogCode);
  const showExport = ({ views }: Marked) => {
    const finished = views.filter(({ image }) => image !== null);
    if (finished.length === 0) return toastError('Only finished images can be exported.');
    if (finished.length > limits.exportImages) {
      return toastError(
        `Up to ${limits.exportImages} images can be exported at once. You marked ${finished.length}.`,
      );
    }
    setExported(finished);
    exportDialog.show();
  };
  return (
    <div className="mx-auto w-full max-w-[100rem] px-4 py-8 sm:px-6 sm:py-12">
      <PageHeader back={{ to: pages.dashboard, name: 'Studio' }} heading={heading} title="Library" />
      <LibraryTabs />
      <Library projects={projects} onMove={setMoved} onExport={showExport} />
      {moved && (
        <MoveImagesDialog
          ids={moved.views.map(({ id }) => id)}
          targets={projects.filter(({ id }) => moved.views.some(({ projectId }) => projectId !== id))}
          onClose={() => setMoved(undefined)}
          onMoved={moved.clear}
        />
      )}
      {exportDialog.Dialog && <exportDialog.Dialog images={exported} onClose={exportDialog.close} />}
    </div>
  );
}
