import {
  type ComponentType,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createComponentCode } from '#web/lib/component-code.ts';
import { buttonClass } from '#web/ui/button.tsx';

const sketchesCode = createComponentCode(() => import('./sketches.tsx').then(({ Sketches }) => Sketches));

const subscribe = () => () => {};

/**
 * Where visitors try a photo of their own; hidden where the installation does not offer it.
 * @param children what is shown until there is a photo
 */
export function TryPhoto({ children }: { children: ReactNode }) {
  const [photo, setPhoto] = useState<File>();
  const [Sketches, setSketches] = useState<ComponentType<{ photo: File }>>();
  const [isUnreachable, setIsUnreachable] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const headingId = useId();
  // The server writes it into the document.
  const isOffered = useSyncExternalStore(
    subscribe,
    () => 'sketches' in document.documentElement.dataset,
    () => true,
  );
  const loadCode = () => {
    setIsUnreachable(false);
    sketchesCode.load().then(
      (code) => setSketches(() => code),
      () => setIsUnreachable(true),
    );
  };
  const takeFrom = (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (!file) return;
    setPhoto(file);
    // The same photo may be chosen again.
    input.value = '';
    loadCode();
  };
  // One that was chosen or taken before the app ran.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => box.current?.querySelectorAll('input').forEach(takeFrom), []);
  return (
    <section id="try" aria-labelledby={isOffered ? headingId : undefined} className="scroll-mt-20">
      <div
        ref={box}
        className="relative mb-4 hidden flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-card border border-dashed border-line-strong bg-page p-4 shadow-card has-[.peer:focus-visible]:outline-[2.5px] has-[.peer:focus-visible]:outline-offset-2 has-[.peer:focus-visible]:outline-accent in-data-sketches:flex sm:px-5"
      >
        <div className="flex-1 basis-60">
          <h2 id={headingId} className="text-xl font-semibold">
            Try it without an account
          </h2>
          <p className="mt-0.5 text-sm leading-snug text-ink-soft">
            Your product in three scenes. We don't keep your photo.
          </p>
        </div>
        {/* It covers the box, so that a click opens it and a drop reaches it. */}
        <input
          type="file"
          aria-label="Choose a photo"
          accept="image/*,.heic,.heif"
          onChange={({ currentTarget }) => takeFrom(currentTarget)}
          className="peer absolute inset-0 cursor-pointer opacity-0"
        />
        <div className="flex grow flex-wrap gap-2 sm:grow-0">
          {/* Not `CameraButton`, which the studio has: a file for both would be one more for each of them to load. */}
          <label className={takeClass(photo)}>
            Take a photo
            <input
              type="file"
              accept="image/*"
              capture="environment"
              onChange={({ currentTarget }) => takeFrom(currentTarget)}
              className="sr-only"
            />
          </label>
          <span aria-hidden className={chooseClass(photo)}>
            Choose a photo
          </span>
        </div>
      </div>
      {photo ? (
        <div className="rounded-card border border-line bg-surface p-4 shadow-card sm:p-5">
          {Sketches && <Sketches photo={photo} />}
          {!Sketches && isUnreachable && (
            <p role="alert">
              We couldn't reach Packshot. Check your connection.{' '}
              <button type="button" className={buttonClass('secondary')} onClick={loadCode}>
                Try again
              </button>
            </p>
          )}
        </div>
      ) : (
        children
      )}
    </section>
  );
}

/** Of the two, the one that is likelier is filled, until there is a photo: the camera on phones and tablets. */
const takeClass = (photo: File | undefined) =>
  buttonClass(
    photo ? 'secondary' : 'primary',
    'relative z-1 grow cursor-pointer px-4! not-pointer-coarse:hidden has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
  );
const chooseClass = (photo: File | undefined) =>
  buttonClass(
    photo ? 'secondary' : 'primary',
    'grow px-4! pointer-coarse:border-line-strong pointer-coarse:bg-surface pointer-coarse:text-ink',
  );
