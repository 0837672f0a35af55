import { type ComponentType, useEffect, useRef, useState } from 'react';
import { createComponentCode } from '#web/lib/component-code.ts';
import { buttonClass } from '#web/ui/button.tsx';

const sketchesCode = createComponentCode(() => import('./sketches.tsx').then(({ Sketches }) => Sketches));

/** Where visitors try a photo of their own; hidden where the installation does not offer it. */
export function TryPhoto() {
  const [photo, setPhoto] = useState<File>();
  const [Sketches, setSketches] = useState<ComponentType<{ photo: File }>>();
  const [isUnreachable, setIsUnreachable] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const loadCode = () => {
    setIsUnreachable(false);
    sketchesCode.load().then(
      (code) => setSketches(() => code),
      () => setIsUnreachable(true),
    );
  };
  const choose = () => {
    const file = input.current?.files?.[0];
    if (!file) return;
    setPhoto(file);
    // The same photo may be chosen again.
    input.current!.value = '';
    loadCode();
  };
  // One that was chosen before the app ran.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(choose, []);
  return (
    <div className="mb-12 hidden rounded-card border border-line bg-surface p-4 shadow-card in-data-sketches:block sm:p-6">
      <div className="relative flex flex-wrap items-center justify-between gap-4 rounded-field border border-dashed border-line-strong bg-page p-4 has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-accent sm:p-6">
        <div>
          <h3 className="text-xl font-semibold">With a photo of your own</h3>
          <p className="mt-1 text-ink-soft">See your product in three scenes. We don't keep your photo.</p>
        </div>
        <span aria-hidden className={buttonClass(photo ? 'secondary' : 'primary', 'max-sm:w-full')}>
          Choose a photo
        </span>
        {/* It covers the box, so that a click opens it and a drop reaches it. */}
        <input
          ref={input}
          type="file"
          aria-label="Choose a photo"
          accept="image/*,.heic,.heif"
          onChange={choose}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
      </div>
      {photo && Sketches && <Sketches photo={photo} />}
      {photo && !Sketches && isUnreachable && (
        <p role="alert" className="mt-4">
          We couldn't reach Packshot. Check your connection.{' '}
          <button type="button" className={buttonClass('secondary')} onClick={loadCode}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}
