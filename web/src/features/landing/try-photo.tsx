import { Camera } from 'lucide-react';
import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react';
import { createComponentCode } from '#web/lib/component-code.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CameraButton } from '#web/ui/camera-button.tsx';

const sketchesCode = createComponentCode(() => import('./sketches.tsx').then(({ Sketches }) => Sketches));

/** Where visitors try a photo of their own; hidden where the installation does not offer it. */
export function TryPhoto() {
  /** The photo that was chosen last, and how many were: each begins anew, also the same one. */
  const [{ photo, count }, setChosen] = useState<{ photo: File | undefined; count: number }>({
    photo: undefined,
    count: 0,
  });
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
  const choose = (files: readonly File[]) => {
    const [first] = files;
    if (first === undefined) return;
    setChosen({ photo: first, count: count + 1 });
    loadCode();
  };
  const takeFromInput = () => {
    const files = [...(input.current?.files ?? [])];
    // The same photo may be chosen again.
    if (input.current) input.current.value = '';
    choose(files);
  };
  // One that was chosen before the app ran.
  const takeEarly = useEffectEvent(takeFromInput);
  useEffect(() => takeEarly(), []);
  return (
    <div className="mb-12 hidden rounded-card border border-line bg-surface p-4 shadow-card in-data-sketches:block sm:p-6">
      <div className="relative flex flex-wrap items-center justify-between gap-4 rounded-field border border-dashed border-line-strong bg-page p-4 has-[>input:focus-visible]:outline-[2.5px] has-[>input:focus-visible]:outline-offset-2 has-[>input:focus-visible]:outline-accent sm:p-6">
        <div>
          <h3 className="text-xl font-semibold">With a photo of your own</h3>
          <p className="mt-1 text-ink-soft">
            <span className="pointer-coarse:hidden">Drop it here, and see</span>
            <span className="hidden pointer-coarse:inline">See</span> your product in three scenes. We don't
            keep your photo.
          </p>
        </div>
        <div className="flex flex-wrap gap-3 max-sm:w-full">
          <span aria-hidden className={buttonClass('primary', 'min-h-13 px-7 text-base max-sm:grow')}>
            Choose a photo
          </span>
          <CameraButton
            onTaken={choose}
            className="z-1 min-h-13 items-center justify-center gap-2 rounded-full border border-line-strong bg-surface px-6 font-semibold hover:bg-sunken max-sm:grow"
          >
            <Camera aria-hidden className="size-5" />
            Take a photo
          </CameraButton>
        </div>
        {/* It covers the box, so that a click opens it and a drop reaches it. */}
        <input
          ref={input}
          type="file"
          aria-label="Choose a photo"
          accept="image/*,.heic,.heif"
          onChange={takeFromInput}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
      </div>
      {photo && Sketches && <Sketches key={count} photo={photo} />}
      {photo && !Sketches && isUnreachable && (
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <p role="alert" className="font-medium text-danger">
            We couldn't reach Packshot. Check your connection and try again.
          </p>
          <Button variant="secondary" onClick={loadCode}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}
