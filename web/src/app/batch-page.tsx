import { isolateName, pages } from '#contract';
import { useBatch } from '#web/features/batches/api.ts';
import { BatchDetails } from '#web/features/batches/batch-details.tsx';
import { findPlanGate } from '#web/features/plan/plan-gate.ts';
import { ApiError } from '#web/lib/api.ts';
import { usePage } from '#web/lib/page.ts';
import { ListError } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { PageSkeleton } from '#web/ui/skeleton.tsx';
import { LazyPlanGateMessage } from './lazy-plan-gate-message.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { useSignedIn } from './protected.tsx';

/** One batch: its upload, its progress and its images. */
export function BatchPage({ id }: { id: string }) {
  const { user, settings, subscription } = useSignedIn();
  const { data: batch, error, refetch } = useBatch(id);
  const heading = usePage(batch ? isolateName(batch.name) : 'Batch');
  if (!batch && error instanceof ApiError && error.code === 'NOT_FOUND') return <NotFoundPage />;
  if (!batch && error) return <ListError error={error} onRetry={refetch} />;
  if (!batch) return <PageSkeleton />;
  const renderPlanGate = (errorCode: string | null) => {
    const gate = errorCode === null ? null : findPlanGate(subscription, errorCode);
    return gate === errorCode && gate && <LazyPlanGateMessage gate={gate} subscription={subscription} />;
  };
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-8 sm:px-6 sm:py-12">
      <PageHeader
        back={{ to: pages.batches, name: 'Batches' }}
        heading={heading}
        title={<Name>{batch.name}</Name>}
      />
      <BatchDetails
        batch={batch}
        draftSellerId={settings.autoSave ? user.id : null}
        renderPlanGate={renderPlanGate}
      />
    </div>
  );
}
