import { CircleAlert } from 'lucide-react';
import { type BatchItem, isolateName } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { ListError } from '#web/ui/list-status.tsx';
import { SkeletonBlock } from '#web/ui/skeleton.tsx';
import { useBatchItems } from './api.ts';

interface BatchRowProps {
  batchId: string;
  /** From 0. */
  index: number;
  /** SHA-256 of the photos that the server does not have. */
  missing: readonly string[];
  /** Why the server refused photos, by SHA-256. */
  refused: ReadonlyMap<string, string> | undefined;
}

/** The rows of a page share its error; every third one shows it, so that one of them is in view. */
const rowsWithOneError = 3;

/** A product of a batch that is not started, once the page of rows that it is on is loaded. */
export function BatchRow({ batchId, index, ...props }: BatchRowProps) {
  const { data, error, refetch } = useBatchItems(batchId, index);
  const item = data?.find((each) => each.index === index);
  if (item) return <Product item={item} {...props} />;
  if (error && index % rowsWithOneError === 0) return <ListError error={error} onRetry={refetch} />;
  return (
    <>
      <span className="sr-only">Loading…</span>
      <SkeletonBlock className="h-30" />
    </>
  );
}

interface ProductProps extends Pick<BatchRowProps, 'missing' | 'refused'> {
  item: BatchItem;
}

/** What is asked for, and what is wrong with its photos. */
function Product({ item, missing, refused }: ProductProps) {
  const { index, sku, name, prompt, width, height, photos, images } = item;
  const missingNames = photos.filter(({ sha256 }) => missing.includes(sha256) && !refused?.has(sha256));
  const faults = photos.flatMap(({ sha256 }) => refused?.get(sha256) ?? []);
  return (
    <div className="grid gap-3 rounded-card border border-line bg-surface p-4 sm:grid-cols-[2rem_minmax(0,1fr)_auto]">
      <p className="text-sm font-semibold text-ink-soft">
        <span className="sm:sr-only">Row </span>
        {index + 1}
      </p>
      <div className="min-w-0">
        <p translate="no" className="font-semibold break-words">
          {[sku, name].filter(Boolean).map(isolateName).join(' · ') || 'Product'}
        </p>
        <p dir="auto" className="line-clamp-2 text-left text-sm break-words text-ink-soft">
          {prompt}
        </p>
        <p className="text-sm text-ink-soft">
          {width} × {height}
          {photos.some(({ name }) => name !== '') && (
            <>
              {' '}
              · <PhotoNames photos={photos} />
            </>
          )}
        </p>
        {missingNames.length > 0 && (
          <p className="mt-1 text-sm">
            Not uploaded yet: <PhotoNames photos={missingNames} />
          </p>
        )}
        {faults.map((fault) => (
          <p key={fault} className="mt-1 flex items-start gap-1.5 text-sm font-medium text-danger">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {fault}
          </p>
        ))}
      </div>
      <p className="text-sm text-ink-soft">{countText(images.length, 'image')}</p>
    </div>
  );
}

function PhotoNames({ photos }: { photos: BatchItem['photos'] }) {
  return <span translate="no">{photos.map(({ name }) => isolateName(name)).join(', ')}</span>;
}
