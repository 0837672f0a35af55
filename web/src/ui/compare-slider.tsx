import clsx from 'clsx';
import { ChevronsLeftRight } from 'lucide-react';
import { type CSSProperties, type ReactNode, useState } from 'react';

interface CompareSliderProps {
  /** Both fill the slider: elements with `absolute inset-0 size-full`. */
  photo: ReactNode;
  image: ReactNode;
  /** What the two are called. */
  names?: readonly [photo: string, image: string];
  className: string;
}

const usualNames = ['Photo', 'Image'] as const;

const labelClass =
  'pointer-events-none absolute bottom-3 z-3 rounded-full bg-[#17120ccc] px-3 py-1 text-sm font-medium text-[#fffdf9]';

/** Where the border is at first, in percent. */
const middle = 50;

/** A photo over the image that was made from it, and a slider that moves the border between them; without JavaScript it stays in the middle. */
export function CompareSlider({ photo, image, names = usualNames, className }: CompareSliderProps) {
  const [split, setSplit] = useState(middle);
  const [first, second] = [names[0].toLowerCase(), names[1].toLowerCase()];
  return (
    <div
      // A prerendered page has no `style` attribute: the content security policy refuses it.
      style={split === middle ? undefined : ({ '--split': `${split}%` } as CSSProperties)}
      className={clsx(
        'relative overflow-hidden rounded-card has-focus-visible:outline-[3px] has-focus-visible:outline-offset-3 has-focus-visible:outline-accent',
        className,
      )}
    >
      {image}
      <div className="absolute inset-0 z-2 [clip-path:inset(0_calc(100%-var(--split,50%))_0_0)]">{photo}</div>
      <span className={`${labelClass} left-3`}>{names[0]}</span>
      <span className={`${labelClass} right-3`}>{names[1]}</span>
      <div
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-[var(--split,50%)] z-3 -ml-px w-0.5 bg-[#fffdf9] shadow-[0_0_6px_rgb(0_0_0/45%)]"
      >
        <span className="absolute top-1/2 left-1/2 grid size-12 -translate-1/2 place-items-center rounded-full bg-[#fffdf9] text-[#221d17] shadow-[0_2px_10px_rgb(0_0_0/35%)]">
          <ChevronsLeftRight className="size-5.5" />
        </span>
      </div>
      <input
        type="range"
        min={0}
        max={100}
        value={split}
        onChange={(event) => setSplit(event.target.valueAsNumber)}
        aria-label={`Border between ${first} and ${second}`}
        aria-valuetext={`${split}% ${first}, ${100 - split}% ${second}`}
        className="before-after-range z-4"
      />
    </div>
  );
}
