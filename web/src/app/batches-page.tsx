import { pages } from '#contract';
import { BatchList } from '#web/features/batches/batch-list.tsx';
import { usePage } from '#web/lib/page.ts';
import { PageHeader } from '#web/ui/page-header.tsx';

/** All batches of the seller. */
export function BatchesPage() {
  const heading = usePage('Batches');
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-8 sm:px-6 sm:py-12">
      <PageHeader back={{ to: pages.dashboard, name: 'Studio' }} heading={heading} title="Batches" />
      <BatchList />
    </div>
  );
}
