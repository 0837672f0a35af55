import type { ReactElement } from 'react';
import { useNavigate } from 'react-router-dom';
import { type GenerationView, hasEnded, pages } from '#contract';
import { progressText } from '#web/features/studio/progress-text.ts';
import { uploadText } from '#web/features/studio/stage-text.ts';
import { useUploadProgress } from '#web/features/studio/submission.tsx';
import { usePending } from '#web/lib/generations.ts';
import { OpenPopover } from '#web/ui/open-popover.tsx';
import { TimeLeft } from '#web/ui/time-left.tsx';

const itemClass = 'flex min-h-11 w-full items-center gap-3 rounded-lg p-2 text-left text-sm hover:bg-sunken';

/** Ended images that are listed, at most. */
const endedMost = 5;

const endTexts = { succeeded: 'Ready', failed: 'Failed', cancelled: 'Cancelled' } as const;

/** What became of a generation, or how far it is. */
function statusText(view: GenerationView): string {
  return view.state === 'queued' || view.state === 'running' ? progressText(view) : endTexts[view.state];
}

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
  const pending = views.filter(({ state }) => !hasEnded(state)).toSorted(byTurn);
  const ended = views
    .filter(({ state }) => hasEnded(state))
    .toSorted(byEnd)
    .slice(0, endedMost);
  return (
    <OpenPopover
      trigger={trigger}
      title={pending.length > 0 || uploadProgress !== null ? 'In progress' : 'Finished'}
    >
      {(close) => (
        <ul className="-mx-2">
          {uploadProgress !== null && (
            <li>
              <button
                type="button"
                onClick={() => {
                  close();
                  navigate(pages.dashboard);
                }}
                className={itemClass}
              >
                {uploadText(uploadProgress)} {uploadProgress < 1 && `${Math.floor(uploadProgress * 100)}%`}
              </button>
            </li>
          )}
          {[...pending, ...ended].map((view) => (
            <li key={view.id}>
              <button
                type="button"
                onClick={() => {
                  close();
                  navigate(`${pages.dashboard}?${new URLSearchParams({ generation: view.id })}`);
                }}
                className={itemClass}
              >
                <Thumbnail view={view} />
                <span className="min-w-0">
                  <span className="block truncate font-medium">
                    {view.productName || view.prompt}
                    {view.set.size > 1 && ` · ${view.set.index + 1} of ${view.set.size}`}
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
              </button>
            </li>
          ))}
        </ul>
      )}
    </OpenPopover>
  );
}

/** The image, or the first photo. */
function Thumbnail({ view }: { view: GenerationView }) {
  const url = view.edits?.thumbnailUrl ?? view.image?.thumbnailUrl ?? view.photos[0]?.thumbnailUrl;
  return (
    <span className="size-12 shrink-0 overflow-hidden rounded-lg bg-sunken">
      {url && <img src={url} alt="" loading="lazy" className="size-full object-cover" />}
    </span>
  );
}
