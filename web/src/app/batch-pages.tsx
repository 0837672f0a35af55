import { useParams } from 'react-router-dom';
import { isolateName, mayUse, pages } from '#contract';
import { useBatch } from '#web/features/batches/api.ts';
import { BatchDetails } from '#web/features/batches/batch-details.tsx';
import { BatchList } from '#web/features/batches/batch-list.tsx';
import { NewBatch } from '#web/features/batches/new-batch.tsx';
import { useLooks } from '#web/features/looks/api.ts';
import { imagesLeft } from '#web/features/plan/images-left.ts';
import { findPlanGate } from '#web/features/plan/plan-gate.ts';
import { ProjectPicker } from '#web/features/projects/project-picker.tsx';
import { ApiError } from '#web/lib/api.ts';
import { leftToday } from '#web/lib/daily-limit.ts';
import { usePage } from '#web/lib/page.ts';
import { ListError } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { ListSkeleton, PageSkeleton } from '#web/ui/skeleton.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { LazyPlanGateMessage } from './plan-gate.tsx';
import { useSignedIn } from './protected.tsx';

/** The pages of batches, as one piece of code: all of them, a new one, or one by its id. */
export function BatchPages() {
  const { id } = useParams();
  if (id === undefined) return <BatchesPage />;
  return id === 'new' ? <NewBatchPage /> : <BatchPage key={id} id={id} />;
}

/** All batches of the seller. */
function BatchesPage() {
  const heading = usePage('Batches');
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-8 sm:px-6 sm:py-12">
      <PageHeader back={{ to: pages.dashboard, name: 'Studio' }} heading={heading} title="Batches" />
      <BatchList />
    </div>
  );
}

/** The table of a new batch. */
function NewBatchPage() {
  const heading = usePage('New batch');
  const { user, subscription, settings, imageCapabilities } = useSignedIn();
  const { data: looks, error } = useLooks();
  const gate = findPlanGate(subscription, null);
  return (
    <div className="mx-auto w-full max-w-[100rem] px-4 py-8 sm:px-6 sm:py-12">
      <PageHeader back={{ to: pages.batches, name: 'Batches' }} heading={heading} title="New batch" />
      {/* Without them, every row with a look would be faulty at first. */}
      {looks || error ? (
        <NewBatch
          draftSellerId={settings.autoSave ? user.id : null}
          looks={looks ?? []}
          capabilities={imageCapabilities}
          mayUse2k={mayUse('resolution-2k', subscription)}
          imagesLeft={imagesLeft(subscription)}
          leftToday={leftToday(subscription)}
          renderProjectPicker={(id, onChange) => <ProjectPicker value={id} onChange={onChange} />}
          planGate={gate && <LazyPlanGateMessage gate={gate} subscription={subscription} />}
        />
      ) : (
        <ListSkeleton />
      )}
    </div>
  );
}

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
    <div className="mx-auto w-full max-w-[100rem] px-4 py-8 sm:px-6 sm:py-12">
      <PageHeader
        back={{ to: pages.batches, name: 'Batches' }}
        heading={heading}
        title={<Name>{batch.name}</Name>}
      />
      <BatchDetails
        batch={batch}
        draftSellerId={settings.autoSave ? user.id : null}
        leftToday={leftToday(subscription)}
        imagesLeft={imagesLeft(subscription)}
        renderPlanGate={renderPlanGate}
      />
    </div>
  );
}
