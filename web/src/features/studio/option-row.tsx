import clsx from 'clsx';
import { ChevronDown, Images, SlidersHorizontal } from 'lucide-react';
import { type CSSProperties, type ReactNode, useId } from 'react';
import {
  chipKinds,
  type ImageQuality,
  imageQualities,
  imageRatios,
  imageSizeNames,
  imageSizeOf,
  imageSizes,
  imageStyleNames,
  imageStyles,
  limits,
  type SceneChip,
  sceneChips,
} from '#contract';
import type { StudioOptions } from '#web/lib/studio-options.ts';
import type { OptionLimits } from '#web/ui/options/usable-options.ts';

/** The quality of new images, a setting of the seller. */
export interface QualityChoice {
  value: ImageQuality;
  onChange: (value: ImageQuality) => void;
}

interface OptionRowProps {
  options: StudioOptions;
  optionLimits: OptionLimits;
  onChange: (options: StudioOptions) => void;
  quality: QualityChoice;
  /** The chips whose words are in the description. */
  chips: readonly SceneChip[];
  onToggleChip: (chip: SceneChip) => void;
  /** Whether the scenes are shown below; null where they are shown elsewhere. */
  showsScenes: boolean | null;
  onShowScenes: () => void;
  /** Whether the other options are shown below. */
  showsMore: boolean;
  onShowMore: () => void;
  /** The seller is about to ask for them. */
  onMoreIntent: () => void;
}

export const qualityNames: Readonly<Record<ImageQuality, string>> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
};
const counts = Array.from({ length: limits.imagesPerRequest }, (_, index) => index + 1);

/** How the images are made, in one row where there is room: on phones number, shape and quality, and the rest behind a button. */
export function OptionRow(props: OptionRowProps) {
  const {
    options,
    optionLimits,
    onChange,
    quality,
    chips,
    onToggleChip,
    showsMore,
    onShowMore,
    onMoreIntent,
  } = props;
  const { showsScenes, onShowScenes } = props;
  const { capabilities, imagesLeft } = optionLimits;
  const size = imageSizeOf(options.width, options.height) ?? 'square';
  // The large square is a square, too: it is chosen among the other options.
  const shape = size === 'square-2k' ? 'square' : size;
  const shapes = imageSizeNames.filter(
    (name) => name !== 'square-2k' && (name === shape || capabilities.sizes.includes(name)),
  );
  const chooseShape = (name: (typeof shapes)[number]) => onChange({ ...options, ...imageSizes[name] });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segments
        legend="Images"
        name="image-count"
        value={String(options.numImages)}
        options={counts.map((count) => ({
          value: String(count),
          label: String(count),
          // One can always be chosen: the plan gate says why it cannot be made.
          disabled: imagesLeft !== null && count > Math.max(1, imagesLeft),
        }))}
        onChange={(count) => onChange({ ...options, numImages: Number(count) })}
        className="shrink-0 max-sm:grow"
      />
      <Segments
        legend="Shape"
        name="image-shape"
        value={shape}
        options={shapes.map((name) => ({
          value: name,
          label: (
            <>
              <ShapeIcon {...imageSizes[name]} />
              {imageRatios[name]}
            </>
          ),
        }))}
        onChange={chooseShape}
        className="max-sm:hidden"
      />
      <CompactSelect
        label="Shape"
        labelClass="hidden"
        value={shape}
        options={shapes.map((value) => ({ value, label: imageRatios[value] }))}
        onChange={chooseShape}
        className="sm:hidden"
      />
      <CompactSelect
        label="Quality"
        labelClass="max-sm:hidden"
        value={quality.value}
        options={imageQualities.map((value) => ({ value, label: qualityNames[value] }))}
        onChange={quality.onChange}
      />
      <CompactSelect
        label="Style"
        value={options.style}
        options={imageStyleNames.map((value) => ({ value, label: imageStyles[value].name }))}
        onChange={(style) => onChange({ ...options, style })}
        className={showsMore ? undefined : 'max-sm:hidden'}
      />
      {chipKinds.map(({ id, name }) => {
        const present = chips.find(({ kind }) => kind === id);
        return (
          <CompactSelect
            key={id}
            label={name}
            value={present?.id ?? ''}
            options={[
              { value: '', label: 'Any' },
              ...sceneChips
                .filter(({ kind }) => kind === id)
                .map((chip) => ({ value: chip.id, label: chip.label })),
            ]}
            onChange={(chosen) => {
              const chip = sceneChips.find((one) => one.id === chosen) ?? present;
              if (chip) onToggleChip(chip);
            }}
            className={showsMore ? undefined : 'max-sm:hidden'}
          />
        );
      })}
      {showsScenes !== null && (
        <button
          type="button"
          aria-expanded={showsScenes}
          onClick={onShowScenes}
          className={clsx(
            controlClass,
            'font-semibold aria-expanded:bg-sunken',
            !showsMore && !showsScenes && 'max-sm:hidden',
          )}
        >
          <Images aria-hidden className="size-4" />
          Scenes
        </button>
      )}
      <button
        type="button"
        aria-label="More options"
        aria-expanded={showsMore}
        onClick={onShowMore}
        onPointerEnter={onMoreIntent}
        onFocus={onMoreIntent}
        className={clsx(controlClass, 'font-semibold aria-expanded:bg-sunken sm:ml-auto')}
      >
        <SlidersHorizontal aria-hidden className="size-4" />
        <span className="max-sm:sr-only">More</span>
      </button>
    </div>
  );
}

const controlClass =
  'relative inline-flex min-h-11 items-center gap-1.5 rounded-[0.625rem] border border-line bg-surface px-2.5 text-[0.8125rem] hover:border-line-strong lg:min-h-9';

/** The outline of an image of this size. */
function ShapeIcon({ width, height }: { width: number; height: number }) {
  const style: CSSProperties =
    width >= height
      ? { width: '0.95rem', aspectRatio: `${width} / ${height}` }
      : { height: '0.85rem', aspectRatio: `${width} / ${height}` };
  return (
    <span
      aria-hidden
      style={style}
      // The row has no room for it in windows that are just wide enough for one line.
      className="shrink-0 rounded-[2px] border-[1.5px] border-current lg:max-[88rem]:hidden"
    />
  );
}

interface SegmentsProps<Value extends string> {
  legend: string;
  name: string;
  value: Value;
  options: readonly { value: Value; label: ReactNode; disabled?: boolean }[];
  onChange: (value: Value) => void;
  className?: string | undefined;
}

/** One of a few choices, side by side. */
function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { legend, name, value, options, onChange, className } = props;
  return (
    <fieldset className={clsx('flex rounded-[0.625rem] border border-transparent bg-sunken p-px', className)}>
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="inline-flex min-h-10 min-w-9 flex-1 items-center justify-center gap-1.5 rounded-lg px-2 text-[0.8125rem] whitespace-nowrap has-checked:bg-surface has-checked:font-semibold has-checked:shadow-card has-checked:ring-1 has-checked:ring-line-strong has-disabled:opacity-50 has-focus-visible:outline-[2.5px] has-focus-visible:outline-accent lg:min-h-8"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

interface CompactSelectProps<Value extends string> {
  label: string;
  /** Of the visible label. */
  labelClass?: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
  className?: string | undefined;
}

/** A native select as narrow as what it shows: its name and the choice. */
function CompactSelect<Value extends string>(props: CompactSelectProps<Value>) {
  const { label, labelClass = '', value, options, onChange, className } = props;
  const id = useId();
  const chosen = options.find((option) => option.value === value);
  return (
    <span
      className={clsx(
        controlClass,
        'has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        className,
      )}
    >
      <span aria-hidden className="flex items-center gap-1.5">
        <span className={clsx('text-ink-soft', labelClass)}>{label}</span>
        <span className="max-w-28 truncate font-semibold">{chosen?.label}</span>
        <ChevronDown className="size-3.5 shrink-0" />
      </span>
      <select
        id={id}
        aria-label={label}
        value={value}
        onChange={(event) => {
          const option = options.find((each) => each.value === event.target.value);
          if (option) onChange(option.value);
        }}
        className="absolute inset-0 size-full cursor-pointer appearance-none rounded-[0.625rem] bg-surface text-base text-ink opacity-0"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}
