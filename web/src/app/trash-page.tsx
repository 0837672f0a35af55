import { pages } from '#contract';
import { LibraryTabs } from '#web/features/library/library-tabs.tsx';
import { Trash } from '#web/features/library/trash.tsx';
import { usePage } from '#web/lib/page.ts';
import { PageHeader } from '#web/ui/page-header.tsx';

/** What the seller deleted, and can restore. */
export function TrashPage() {
  const heading = usePage('Trash');
  return (
    <div className="mx-auto w-full max-w-[100rem] px-4 py-8 sm:px-6 sm:py-12">
      <PageHeader back={{ to: pages.dashboard, name: 'Studio' }} heading={heading} title="Trash" />
      <LibraryTabs />
      <Trash />
    </div>
  );
}
