import clsx from 'clsx';
import { RotateCcw, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { limits, type Trashed, type Trash as TrashPage } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { serverNow } from '#web/lib/clock.ts';
import { countText } from '#web/lib/count-text.ts';
import { useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { stateLabels } from '#web/ui/generation-thumbnail.tsx';
import { ListError, PagedListFooter } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { SkeletonBlock } from '#web/ui/skeleton.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { ActionBar } from './action-bar.tsx';
import { toastErrors } from './outcomes.ts';
import { useTrash, useTrashActions } from './trash-api.ts';
import { sizeText, timeLeftText } from './trash-texts.ts';

/** What is asked about: the images that are to be deleted for ever, or everything. */
type Asked = { ids: readonly string[] } | { everything: TrashPage };

/** What the seller deleted: to be restored, or deleted for ever. */
export function Trash() {
  const list = useTrash();
  const { data, error, isPending, refetch } = list;
  const { restoring, deletion, emptying } = useTrashActions();
  const images = data?.pages.flatMap((page) => page.images) ?? [];
  const [marks, setMarks] = useState<ReadonlySet<string>>(new Set());
  const marked = images.filter(({ id }) => marks.has(id)).map(({ id }) => id);
  const [asked, setAsked] = useState<Asked | null>(null);
  const clear = () => setMarks(new Set());
  const toggle = (id: string) =>
    setMarks(
      (before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]),
    );

  const status = useRef<HTMLParagraphElement>(null);
  const shown = images.length;
  useEffect(() => {
    // What had the focus is gone with its image.
    if (shown >= 0 && document.activeElement === document.body)
      status.current?.focus({ preventScroll: true });
  }, [shown]);

  const isBusy = restoring.isPending || deletion.isPending || emptying.isPending;
  const isTooMany = (ids: readonly string[]) => {
    const most = limits.imagesDeletedAtOnce;
    if (ids.length <= most) return false;
    toastError(`Up to ${most} images can be chosen at once. You marked ${ids.length}.`);
    return true;
  };
  const restore = (ids: readonly string[]) => {
    if (isBusy || isTooMany(ids)) return;
    restoring.mutate(ids, {
      onSuccess: (results) => {
        toastErrors(results, 'restored');
        const count = results.filter((result) => result.status === 'fulfilled').length;
        if (count > 0) toast.success(`${countText(count, 'image')} restored to your library.`);
        clear();
      },
    });
  };
  const close = () => setAsked(null);
  const confirm = () => {
    if (asked === null) return;
    if ('everything' in asked) {
      emptying.mutate(asked.everything.at, {
        onSuccess: ({ deleted }) => {
          toast.success(`${countText(deleted, 'image')} deleted for ever.`);
          clear();
          close();
        },
      });
      return;
    }
    deletion.mutate(asked.ids, {
      onSuccess: (results) => {
        toastErrors(results, 'deleted');
        clear();
        close();
      },
    });
  };

  const newest = data?.pages[0];
  const count = newest?.count ?? 0;
  if (isPending) return <Loading />;
  if (error && !data) return <ListError error={error} onRetry={() => refetch()} />;
  if (!newest) return null;
  return (
    <div className={clsx(marked.length > 0 && 'pb-28')}>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p ref={status} tabIndex={-1} className="min-w-0 flex-[1_1_18rem] text-ink-soft outline-none">
          {count === 0
            ? 'The trash is empty. '
            : `${countText(count, 'image')}, ${sizeText(newest.bytes ?? 0)}. `}
          {`Deleted images stay here for ${newest.days === 1 ? '1 day' : `${newest.days} days`}, and then they are deleted for ever. Restoring and deleting never change your image balance.`}
        </p>
        {count > 0 && (
          <Button variant="secondary" onClick={() => setAsked({ everything: newest })}>
            Empty trash
          </Button>
        )}
      </div>
      <ul className="grid grid-cols-2 gap-x-3 gap-y-6 sm:grid-cols-3 lg:grid-cols-5 xl:grid-cols-6">
        {images.map((image) => (
          <Tile
            key={image.id}
            image={image}
            marked={marks.has(image.id)}
            onToggle={() => toggle(image.id)}
            onRestore={() => restore([image.id])}
            onDelete={() => setAsked({ ids: [image.id] })}
          />
        ))}
      </ul>
      <PagedListFooter list={list} />
      {marked.length > 0 && (
        <ActionBar
          count={marked.length}
          isPending={isBusy}
          onClear={clear}
          actions={[
            { key: 'restore', name: 'Restore', Icon: RotateCcw, run: () => restore(marked) },
            {
              key: 'delete',
              name: 'Delete for ever',
              Icon: Trash2,
              run: () => !isTooMany(marked) && setAsked({ ids: marked }),
            },
          ]}
        />
      )}
      {asked && (
        <ConfirmDialog
          title={questionOf(asked)}
          description={consequenceOf(asked)}
          label={'everything' in asked ? 'Empty trash' : 'Delete for ever'}
          busyLabel="Deleting..."
          busy={deletion.isPending || emptying.isPending}
          error={emptying.error && messageOf(emptying.error)}
          onConfirm={confirm}
          onClose={close}
        />
      )}
    </div>
  );
}

function questionOf(asked: Asked): string {
  if ('everything' in asked) return 'Empty the trash?';
  return asked.ids.length === 1
    ? 'Delete this image for ever?'
    : `Delete ${countText(asked.ids.length, 'image')} for ever?`;
}

/** What that means. */
function consequenceOf(asked: Asked): string {
  const all =
    'everything' in asked
      ? `${countText(asked.everything.count ?? 0, 'image')} will be deleted for ever. `
      : '';
  return `${all}This cannot be undone. Your image balance stays as it is.`;
}

interface TileProps {
  image: Trashed;
  marked: boolean;
  onToggle: () => void;
  onRestore: () => void;
  onDelete: () => void;
}

function Tile({ image, marked, onToggle, onRestore, onDelete }: TileProps) {
  const dates = useDates();
  const { state, productName, prompt, sku, pictureUrl, deletedAt, removedAt } = image;
  const name = productName || prompt;
  return (
    <li className="min-w-0">
      <div
        className={clsx(
          'relative aspect-square overflow-hidden rounded-field bg-sunken',
          marked ? 'ring-2 ring-accent ring-offset-2 ring-offset-page' : 'ring-1 ring-line',
        )}
      >
        <img
          src={pictureUrl}
          alt=""
          loading="lazy"
          className={clsx('size-full object-cover', state !== 'succeeded' && 'opacity-40 grayscale-50')}
        />
        <label className="absolute top-0 left-0 grid size-11 cursor-pointer place-items-center">
          <input
            type="checkbox"
            aria-label={`Mark ${name}`}
            checked={marked}
            onChange={onToggle}
            className="size-6 accent-accent"
          />
        </label>
      </div>
      <Name className="mt-1.5 block truncate text-sm font-medium">{name}</Name>
      <p className="truncate text-xs text-ink-soft">
        {sku && (
          <>
            <Name>{sku}</Name>
            {' · '}
          </>
        )}
        {state !== 'succeeded' && `${stateLabels[state]} · `}
        <time dateTime={removedAt} title={`Deleted ${dates.dateTime(deletedAt)}`}>
          {timeLeftText(removedAt, serverNow())}
        </time>
      </p>
      <div className="mt-1.5 flex gap-1.5">
        <Button
          variant="secondary"
          className="min-w-0 flex-1 px-3!"
          onClick={onRestore}
          aria-label={`Restore ${name}`}
        >
          Restore
        </Button>
        <button
          type="button"
          aria-label={`Delete ${name} for ever`}
          title="Delete for ever"
          onClick={onDelete}
          className="grid size-11 shrink-0 place-items-center rounded-full text-ink-soft hover:bg-sunken hover:text-danger"
        >
          <Trash2 aria-hidden className="size-4.5" />
        </button>
      </div>
    </li>
  );
}

function Loading() {
  return (
    <div role="status" className="grid grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-6">
      <span className="sr-only">Loading…</span>
      {['first', 'second', 'third', 'fourth'].map((tile) => (
        <SkeletonBlock key={tile} className="aspect-square" />
      ))}
    </div>
  );
}
