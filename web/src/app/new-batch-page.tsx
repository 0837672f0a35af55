import { mayUse, pages } from '#contract';
import { NewBatch } from '#web/features/batches/new-batch.tsx';
import { useLooks } from '#web/features/looks/api.ts';
import { findPlanGate } from '#web/features/plan/plan-gate.ts';
import { ProjectPicker } from '#web/features/projects/project-picker.tsx';
import { usePage } from '#web/lib/page.ts';
import { PageHeader } from '#web/ui/page-header.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { imagesLeft } from './images-left.ts';
import { LazyPlanGateMessage } from './lazy-plan-gate-message.tsx';
import { useSignedIn } from './protected.tsx';

/** The table of a new batch. */
export function NewBatchPage() {
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
          renderProjectPicker={(id, onChange) => <ProjectPicker value={id} onChange={onChange} />}
          planGate={gate && <LazyPlanGateMessage gate={gate} subscription={subscription} />}
        />
      ) : (
        <ListSkeleton />
      )}
    </div>
  );
}
