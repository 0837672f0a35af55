import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { mayUse, pages } from '#contract';
import { NewBatch } from '#web/features/batches/new-batch.tsx';
import { listLooks } from '#web/features/looks/api/list-looks.ts';
import { findPlanGate } from '#web/features/plan/plan-gate.ts';
import { ProjectPicker } from '#web/features/projects/project-picker.tsx';
import { imagesLeft } from '#web/lib/images-left.ts';
import { usePage } from '#web/lib/page.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { LazyPlanGateMessage } from './lazy-plan-gate-message.tsx';
import { useSignedIn } from './protected.tsx';

/** The table of a new batch. */
export function NewBatchPage() {
  const heading = usePage('New batch');
  const { user, subscription, settings, imageCapabilities } = useSignedIn();
  const { data: looks, error } = useQuery({
    queryKey: queryKeys.looks,
    queryFn: async ({ signal }) => (await listLooks(signal)).looks,
  });
  const gate = findPlanGate(subscription, null);
  return (
    <div className="mx-auto w-full max-w-[100rem] px-4 py-8 sm:px-6 sm:py-12">
      <Link to={pages.batches} className={buttonClass('quiet', 'mb-3 -ml-4')}>
        <ArrowLeft aria-hidden className="size-4" /> Batches
      </Link>
      <h1
        ref={heading}
        tabIndex={-1}
        className="mb-5 font-heading text-2xl font-bold tracking-tight sm:text-3xl"
      >
        New batch
      </h1>
      {/* Without them, every row with a look would be faulty at first. */}
      {looks || error ? (
        <NewBatch
          draftSellerId={settings.autoSave ? user.id : null}
          looks={looks ?? []}
          capabilities={imageCapabilities}
          mayUse2k={mayUse('resolution-2k', subscription)}
          imagesLeft={imagesLeft(subscription)}
          renderProjectPicker={(id, onChange) => <ProjectPicker value={id} onChange={onChange} />}
          planGate={gate && <LazyPlanGateMessage gate={gate} subscription={subscription} />}
        />
      ) : (
        <ListSkeleton />
      )}
    </div>
  );
}
