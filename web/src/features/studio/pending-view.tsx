import clsx from 'clsx';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { GenerationView } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { CrossfadeImage } from '#web/ui/crossfade-image.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TimeLeft, useServerNow } from '#web/ui/time-left.tsx';
import { currentStep, formatElapsed, progressText, steps, uploadText } from './progress-text.ts';
import { actionsClass, belowClass, pictureClass } from './stage-areas.ts';
import { StopButton } from './stop-button.tsx';
import { usePhotoWarningLines } from './use-photo-warning-lines.ts';

/** The elapsed time, updated every second; hidden from screen readers, which would announce each update. */
function Elapsed({ since }: { since: string }) {
  return (
    <span aria-hidden className="tabular-nums">
      {formatElapsed(useServerNow() - Date.parse(since))}
    </span>
  );
}

function Steps({ view }: { view: GenerationView }) {
  const current = currentStep(view);
  return (
    <ol
      aria-label="Steps"
      className="-ml-2 flex flex-wrap items-center gap-y-1 text-[0.8125rem] sm:gap-x-1.5 sm:text-sm"
    >
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === current ? 'step' : undefined}
          className={clsx(
            'flex items-center gap-1.5 rounded-full px-2 py-1 sm:px-2.5',
            index === current ? 'bg-accent-wash font-semibold text-ink' : 'text-ink-soft',
          )}
        >
          {index < current && <Check aria-hidden className="size-3.5 text-good" strokeWidth={3} />}
          {index === current && <Spinner className="size-3.5! text-accent" />}
          {step}
          {index < current && <span className="sr-only"> done</span>}
        </li>
      ))}
    </ol>
  );
}

/** The newest preview, or the blurred photo, with an indeterminate progress bar. */
function PreviewFrame({ url, blurred }: { url: string | null; blurred: boolean }) {
  return (
    <div className="sweep relative stage-frame overflow-hidden">
      {url && (
        <CrossfadeImage
          url={url}
          alt=""
          className={clsx('size-full', blurred && 'scale-95 opacity-50 blur-md grayscale-30')}
        />
      )}
      <div aria-hidden className="absolute inset-x-0 bottom-0 h-1 overflow-hidden bg-sunken">
        <div className="h-full w-2/5 animate-progress rounded-full bg-accent forced-colors:bg-[Highlight] forced-colors:forced-color-adjust-none" />
      </div>
    </div>
  );
}

/** How far it is: beside the buttons, on phones above them. */
const statusClass = 'flex flex-wrap gap-x-3 text-sm text-ink-soft max-sm:basis-full sm:mr-2';

interface PendingViewProps {
  view: GenerationView;
  /** Above the picture. */
  strips: ReactNode;
  /** The URL of its newest preview, if any. */
  preview: string | null;
  cancelling: boolean;
  /** @param useImage whether the button said that stopping uses the image */
  onCancel: (useImage: boolean) => void;
  /** Clears the main area for another image; this one continues. */
  onStartAnother: () => void;
}

/** A queued or running generation. */
export function PendingView({
  view,
  strips,
  preview,
  cancelling,
  onCancel,
  onStartAnother,
}: PendingViewProps) {
  const lines = usePhotoWarningLines(view.photos.some(({ warnings }) => warnings.length > 0));
  return (
    <>
      <div className={actionsClass}>
        <p className={statusClass}>
          <span className="sm:max-xl:hidden">{progressText(view)}</span>
          {view.timeLeft && <TimeLeft times={view.timeLeft} />}
          {view.startedAt && <Elapsed since={view.startedAt} />}
        </p>
        <StopButton
          usesImage={view.previewUrl !== null && view.remakeOf === null}
          stopping={cancelling}
          onStop={onCancel}
        />
        <Button variant="quiet" onClick={onStartAnother}>
          Start another
        </Button>
      </div>
      <div className={pictureClass}>
        {strips}
        <PreviewFrame url={preview ?? view.photos[0]?.url ?? null} blurred={preview === null} />
      </div>
      <div className={`${belowClass} gap-3!`}>
        <Steps view={view} />
        {lines && <lines.PhotoNotes view={view} />}
      </div>
    </>
  );
}

interface UploadingViewProps {
  photoUrl: string | null;
  /** Fraction of the request that was sent, 0 to 1. */
  progress: number;
  cancelling: boolean;
  onCancel: () => void;
}

/** The form is being sent. */
export function UploadingView({ photoUrl, progress, cancelling, onCancel }: UploadingViewProps) {
  const percent = Math.round(progress * 100);
  return (
    <>
      <div className={actionsClass}>
        <p className={statusClass}>
          <span id="upload-label">{uploadText(percent / 100)}</span>
          <span aria-hidden className="tabular-nums">
            {percent} %
          </span>
        </p>
        <Button variant="secondary" onClick={onCancel} disabled={cancelling}>
          {cancelling ? 'Cancelling...' : 'Cancel'}
        </Button>
      </div>
      <div className={pictureClass}>
        <PreviewFrame url={photoUrl} blurred />
      </div>
      <div className={belowClass}>
        <ProgressBar labelledBy="upload-label" fraction={progress} />
      </div>
    </>
  );
}
