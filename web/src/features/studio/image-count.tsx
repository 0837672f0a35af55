import { limits } from '#contract';

interface ImageCountProps {
  value: number;
  /** Images that the seller can still make; null without a limit. */
  imagesLeft: number | null;
  onChange: (value: number) => void;
}

const counts = Array.from({ length: limits.imagesPerRequest }, (_, index) => index + 1);

/** Chooses how many images are made from the same photos and description. */
export function ImageCount({ value, imagesLeft, onChange }: ImageCountProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">Images</legend>
      <div className="grid grid-cols-4 gap-1 rounded-field bg-sunken p-1">
        {counts.map((count) => (
          <label
            key={count}
            className="grid min-h-11 place-items-center rounded-field text-sm has-checked:bg-surface has-checked:font-semibold has-checked:shadow-card has-disabled:opacity-50 has-focus-visible:outline-[2.5px] has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="image-count"
              value={count}
              checked={count === value}
              // One can always be chosen: the plan gate says why it cannot be made.
              disabled={imagesLeft !== null && count > Math.max(1, imagesLeft)}
              onChange={() => onChange(count)}
              className="sr-only"
            />
            {count}
          </label>
        ))}
      </div>
      <p className="mt-1.5 text-sm text-ink-soft">
        {value === 1 ? 'Uses 1 image.' : `${value} takes of the same scene. Uses ${value} images.`}
      </p>
    </fieldset>
  );
}
