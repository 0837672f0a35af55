import { type ReactElement, type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type GenerationView, hasEnded, isolateName, pages } from '#contract';
import { progressText, uploadText } from '#web/features/studio/progress-text.ts';
import { useUploadProgress } from '#web/features/studio/submission.tsx';
import { EditWaitingDialog, WaitingActions } from '#web/features/studio/waiting-actions.tsx';
import { usePending } from '#web/lib/generations.ts';
import { Name } from '#web/ui/name.tsx';
import { OpenPopover } from '#web/ui/open-popover.tsx';
import { TimeLeft } from '#web/ui/time-left.tsx';

const itemClass = 'flex min-h-11 w-full items-center gap-3 rounded-lg p-2 text-left text-sm hover:bg-sunken';

/** Ended images that are listed, at most. */
const maxEnded = 5;

const endTexts = { succeeded: 'Ready', failed: 'Failed', cancelled: 'Cancelled' } as const;

/** What became of a generation, or how far it is. */
function statusText(view: GenerationView): string {
  return view.state === 'queued' || view.state === 'running' ? progressText(view) : endTexts[view.state];
}

const nameOf = ({ productName, prompt }: GenerationView) => productName || prompt;
/** Which image of its set it is; empty if it is alone. */
const takeOf = ({ set }: GenerationView) => (set.size > 1 ? ` · ${set.index + 1} of ${set.size}` : '');

const startOf = ({ createdAt, id }: GenerationView) => createdAt + id;
/** Those that are being made first, then by their place in the queue. */
const byTurn = (one: GenerationView, other: GenerationView) =>
  (one.position ?? 0) - (other.position ?? 0) || (startOf(one) < startOf(other) ? -1 : 1);
const byEnd = (one: GenerationView, other: GenerationView) =>
  (one.endedAt ?? '') < (other.endedAt ?? '') ? 1 : -1;

/** The upload, the images that are being made, and the last ones that have ended. */
export function TrayPopover({ trigger }: { trigger: ReactElement }) {
  const views = usePending();
  const uploadProgress = useUploadProgress();
  const navigate = useNavigate();
  /** The image that is being edited, above the closed popover. */
  const [edited, setEdited] = useState<GenerationView | null>(null);
  const pending = views.filter(({ state }) => !hasEnded(state)).toSorted(byTurn);
  const singles = pending.filter(({ batchId }) => batchId === null);
  const line = singles.filter(({ state }) => state === 'queued');
  const batchIds = [...new Set(pending.flatMap(({ batchId }) => batchId ?? []))];
  const ended = views
    .filter(({ state, batchId }) => hasEnded(state) && batchId === null)
    .toSorted(byEnd)
    .slice(0, maxEnded);
  return (
    <>
      <OpenPopover
        trigger={trigger}
        title={pending.length > 0 || uploadProgress !== null ? 'In progress' : 'Finished'}
      >
        {(close) => {
          const open = (path: string) => () => {
            close();
            navigate(path);
          };
          return (
            <ul className="-mx-2">
              {uploadProgress !== null && (
                <Item onOpen={open(pages.dashboard)}>
                  {uploadText(uploadProgress)} {uploadProgress < 1 && `${Math.floor(uploadProgress * 100)}%`}
                </Item>
              )}
              {[...singles, ...ended].map((view) => (
                <Item
                  key={view.id}
                  onOpen={open(`${pages.dashboard}?${new URLSearchParams({ generation: view.id })}`)}
                  actions={
                    view.state === 'queued' && (
                      <WaitingActions
                        view={view}
                        line={line}
                        name={isolateName(nameOf(view)) + takeOf(view)}
                        onEdit={() => {
                          close();
                          setEdited(view);
                        }}
                      />
                    )
                  }
                >
                  <ImageItem view={view} />
                </Item>
              ))}
              {batchIds.map((id) => {
                const count = pending.filter(({ batchId }) => batchId === id).length;
                return (
                  <Item key={id} onOpen={open(`${pages.batches}/${id}`)}>
                    <span className="font-medium">
                      Batch: {count === 1 ? '1 image' : `${count} images`} in progress
                    </span>
                  </Item>
                );
              })}
            </ul>
          );
        }}
      </OpenPopover>
      {edited && <EditWaitingDialog view={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

interface ItemProps {
  onOpen: () => void;
  /** Beside what it opens. */
  actions?: ReactNode;
  children: ReactNode;
}

function Item({ onOpen, actions, children }: ItemProps) {
  return (
    <li>
      <button type="button" onClick={onOpen} className={itemClass}>
        {children}
      </button>
      {actions && <div className="flex justify-end">{actions}</div>}
    </li>
  );
}

/** What an image is called, and how far it is. */
function ImageItem({ view }: { view: GenerationView }) {
  const url = view.edits?.thumbnailUrl ?? view.image?.thumbnailUrl ?? view.photos[0]?.thumbnailUrl;
  return (
    <>
      <span className="size-12 shrink-0 overflow-hidden rounded-lg bg-sunken">
        {url && <img src={url} alt="" loading="lazy" className="size-full object-cover" />}
      </span>
      <span className="min-w-0">
        <span className="flex font-medium">
          <Name className="truncate">{nameOf(view)}</Name>
          <span className="whitespace-pre">{takeOf(view)}</span>
        </span>
        <span className="block text-xs text-ink-soft">
          {statusText(view)}
          {view.timeLeft && (
            <>
              {' · '}
              <TimeLeft times={view.timeLeft} />
            </>
          )}
        </span>
      </span>
    </>
  );
}
