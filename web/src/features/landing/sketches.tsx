import { type MouseEvent, useEffect, useState } from 'react';
import {
  type CutoutWarning,
  drawnSketchesSchema,
  limits,
  namePhoto,
  paths,
  photoWarningTexts,
  type SketchScene,
  sceneLibrary,
  sketchLimits,
  sketchScenes,
} from '#contract';
import { ApiError, callApi, isOutcomeUnknown } from '#web/lib/api.ts';
import { inspectPhoto, RefusedPhoto } from '#web/lib/inspect-photo.ts';
import { keepVisitorPhoto, type VisitorPhoto } from '#web/lib/visitor-photo.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

type Pictures = Readonly<Record<SketchScene, string>>;

/** What came of a photo. `file` is what the studio gets: null if the photo cannot be used. */
type Trial =
  | { state: 'drawing' }
  | { state: 'drawn'; file: File; pictures: Pictures; warnings: readonly CutoutWarning[] }
  | { state: 'failed'; file: File | null; message: string; mayRetry: boolean };

const unopenedText =
  "This browser can't open this kind of photo, so there is no sketch of it. Your studio opens it when you sign up.";

/** Asks for the sketches of a photo: only a small copy leaves the browser. */
async function tryPhoto(photo: File, signal: AbortSignal): Promise<Trial> {
  let file: File | null = null;
  try {
    const inspected = await inspectPhoto(photo);
    file = inspected.file;
    if (inspected.copy === null) return { state: 'failed', file, message: unopenedText, mayRetry: false };
    const { sketches, warnings } = await callApi('POST', paths.sketches, drawnSketchesSchema, {
      body: { photo: inspected.copy },
      signal,
    });
    if (sketches.length === 0) {
      const message = `This photo ${photoWarningTexts[warnings[0] ?? 'background']}`;
      return { state: 'failed', file, message, mayRetry: false };
    }
    const pictures = Object.fromEntries(
      sketches.map(({ scene, picture }) => [scene, `data:image/webp;base64,${picture}`]),
    ) as Pictures;
    return { state: 'drawn', file, pictures, warnings };
  } catch (error) {
    const isKnown = error instanceof RefusedPhoto || error instanceof ApiError;
    const message = isKnown
      ? namePhoto(error.message, photo.name)
      : "We couldn't open this photo. Please try another one.";
    return {
      state: 'failed',
      file,
      message,
      // One that is limited says when.
      mayRetry: error instanceof ApiError && isOutcomeUnknown(error) && error.code !== 'RATE_LIMITED',
    };
  }
}

/** A visitor's photo in three scenes, and the way to an account with it. */
export function Sketches({ photo }: { photo: File }) {
  const [trial, setTrial] = useState<Trial>({ state: 'drawing' });
  const [attempt, setAttempt] = useState(1);
  const [scene, setScene] = useState<SketchScene>(sketchScenes[0]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    const stop = new AbortController();
    setTrial({ state: 'drawing' });
    void tryPhoto(photo, stop.signal).then((next) => {
      if (!stop.signal.aborted) setTrial(next);
    });
    return () => stop.abort();
  }, [photo, attempt]);
  const isDrawn = trial.state === 'drawn';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p role="status" className="flex items-center gap-2.5 text-lg font-semibold empty:hidden">
        {trial.state === 'drawing' && (
          <>
            <Spinner />
            Cutting out your product…
          </>
        )}
        {isDrawn && 'Your product in three scenes. Choose one.'}
      </p>
      {trial.state === 'failed' ? (
        <>
          <Notice tone="danger">{trial.message}</Notice>
          {trial.mayRetry && (
            <Button
              variant="secondary"
              className="sm:justify-self-start"
              onClick={() => setAttempt(attempt + 1)}
            >
              Try again
            </Button>
          )}
        </>
      ) : (
        <SceneChoice pictures={isDrawn ? trial.pictures : null} value={scene} onChange={setScene} />
      )}
      {isDrawn &&
        trial.warnings.map((warning) => (
          <Notice key={warning} tone="info">
            This photo {photoWarningTexts[warning]}
          </Notice>
        ))}
      {trial.state !== 'drawing' && trial.file && (
        <div className="grid gap-3">
          <SignUpLink photo={{ file: trial.file, scene: isDrawn ? scene : null }}>
            {isDrawn ? 'Sign up to make it real' : 'Sign up with this photo'}
          </SignUpLink>
          <p className="text-sm leading-snug text-ink-soft">
            {isDrawn &&
              'These are sketches: your product in front of a picture, with a watermark. Our server has deleted your photo. '}
            When you sign up, {isDrawn ? 'it' : 'your photo'} stays in this browser until your studio opens
            with it. If that takes more than {limits.visitorPhotoHours} hours, it is removed when a studio is
            next opened in this browser.
          </p>
        </div>
      )}
    </div>
  );
}

const signUp = '/signup';

/** Goes to the sign-up page once the photo is kept; without storage it goes without the photo. */
function SignUpLink({ photo, children }: { photo: VisitorPhoto; children: string }) {
  const open = async (event: MouseEvent) => {
    const opensHere = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (opensHere) event.preventDefault();
    // The second one of a double click would begin the way again.
    if (opensHere && event.detail > 1) return;
    const to = await keepVisitorPhoto(photo).then(
      () => `${signUp}?photo=kept`,
      () => signUp,
    );
    if (opensHere) location.assign(to);
  };
  return (
    <a
      // A middle click does not call the handler, so nothing is kept.
      href={signUp}
      onClick={(event) => void open(event)}
      className={buttonClass('primary', 'min-h-13 text-base')}
    >
      {children}
    </a>
  );
}

interface SceneChoiceProps {
  /** Null while they are drawn. */
  pictures: Pictures | null;
  value: SketchScene;
  onChange: (scene: SketchScene) => void;
}

/** The sketches, of which one is chosen; their frames while they are drawn. */
function SceneChoice({ pictures, value, onChange }: SceneChoiceProps) {
  return (
    <fieldset aria-label="Scene" disabled={pictures === null} className="grid grid-cols-3 gap-2 sm:gap-3">
      {sketchScenes.map((scene) => {
        const { name } = sceneLibrary.find(({ id }) => id === scene)!;
        return (
          <label
            key={scene}
            className="overflow-hidden rounded-field border-2 border-line bg-surface hover:border-line-strong has-checked:border-accent has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="sketch"
              aria-label={`${name}, sketch`}
              checked={pictures !== null && scene === value}
              onChange={() => onChange(scene)}
              className="peer sr-only"
            />
            <span className="block aspect-4/5 bg-sunken">
              {pictures && (
                <img
                  src={pictures[scene]}
                  alt=""
                  width={sketchLimits.side}
                  height={sketchLimits.side}
                  className="size-full animate-fade-in object-cover"
                />
              )}
            </span>
            <span className="flex min-h-11 items-center px-2 text-[0.8125rem] leading-tight font-medium text-ink-soft peer-checked:text-ink sm:px-3 sm:text-[0.9375rem]">
              {name}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
