import { ChevronRight, Plus } from 'lucide-react';
import { Link } from 'react-router-dom';
import { type BatchSummary, limits, pages } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { useDates } from '#web/lib/dates.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { useBatches } from './api.ts';
import { countsText, stateText } from './batch-text.ts';

/** The seller's batches, newest first, and a link to make a new one. */
export function BatchList() {
  const { data: batches, error, refetch } = useBatches();
  return (
    <>
      <Link to={`${pages.batches}/new`} className={buttonClass('primary', 'mb-6')}>
        <Plus aria-hidden className="size-4" />
        New batch
      </Link>
      {error && <ListError error={error} onRetry={refetch} />}
      {!batches && !error && <ListSkeleton />}
      {batches?.length === 0 && (
        <p className="max-w-prose text-ink-soft">
          Make images of up to {limits.batchRows} products at once, from a folder of their photos. A table is
          optional.
        </p>
      )}
      <ul className="grid gap-3">
        {batches?.map((batch) => (
          <BatchCard key={batch.id} batch={batch} />
        ))}
      </ul>
    </>
  );
}

function BatchCard({ batch }: { batch: BatchSummary }) {
  const { id, name, rows, state, counts, createdAt } = batch;
  const dates = useDates();
  return (
    <li>
      <Link
        to={`${pages.batches}/${id}`}
        className="flex items-center gap-4 rounded-card border border-line bg-surface p-4 hover:border-line-strong sm:px-6"
      >
        <span className="min-w-0 flex-1">
          <Name className="block truncate font-semibold">{name}</Name>
          <span className="block text-sm text-ink-soft">
            {stateText(batch)} · {state === 'uploading' ? countText(rows, 'product') : countsText(counts)} ·{' '}
            <time dateTime={createdAt}>{dates.shortDateTime(createdAt)}</time>
          </span>
        </span>
        <ChevronRight aria-hidden className="size-5 text-ink-soft" />
      </Link>
    </li>
  );
}
