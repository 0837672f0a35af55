import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import {
  type ImageCapabilities,
  type ImageOptions,
  type ImageSize,
  imageSizeNames,
  imageSizeOf,
  imageSizes,
  imageStyleNames,
  imageStyles,
  latinDigits,
  limits,
  mayUse,
  optionTexts,
  pages,
  planIds,
  plans,
} from '#contract';
import type { StudioOptions } from '#web/lib/studio-options.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { inputClass, TextAreaField } from '#web/ui/field.tsx';
import { LabelledSelect } from '#web/ui/select.tsx';
import { Switch } from '#web/ui/switch.tsx';
import type { OptionLimits } from './usable-options.ts';

const sizeNames: Readonly<Record<ImageSize, string>> = {
  square: 'Square',
  portrait: 'Portrait',
  landscape: 'Landscape',
  'square-2k': 'Large square',
};

/** The plans with 2048 × 2048. */
const plansWith2k = planIds
  .filter((plan) => mayUse('resolution-2k', { plan, canGenerate: true }))
  .map((plan) => plans[plan].name)
  .join(' and ');

interface OptionFieldsProps<Options extends ImageOptions> {
  options: Options;
  onChange: (options: Options) => void;
  /** What the image service has; everything where it does not matter yet. */
  capabilities?: ImageCapabilities | undefined;
  /** Whether the plan includes 2048 × 2048. */
  mayUse2k?: boolean;
  /** Fields that are left out. */
  hidden?: readonly 'background'[];
}

/** The fields of the options of an image, whatever else the form around them has. */
export function OptionFields<Options extends ImageOptions>({
  options,
  onChange,
  capabilities,
  mayUse2k = true,
  hidden = [],
}: OptionFieldsProps<Options>) {
  const id = useId();
  const size = imageSizeOf(options.width, options.height) ?? 'square';
  const offers = (name: ImageSize) => capabilities?.sizes.includes(name) ?? true;
  const isTransparentOffered = capabilities?.transparentBackground ?? true;
  return (
    <>
      <LabelledSelect
        label="Size"
        value={size}
        options={imageSizeNames
          .filter((name) => name === size || offers(name))
          .map((name) => ({
            value: name,
            label: `${sizeNames[name]} · ${imageSizes[name].width} × ${imageSizes[name].height}`,
            disabled: name === 'square-2k' && !mayUse2k,
          }))}
        onChange={(name) => onChange({ ...options, ...imageSizes[name] })}
      >
        {offers('square-2k') && !mayUse2k && (
          <>
            2048 × 2048 is part of the {plansWith2k} plan.{' '}
            <Link to={pages.plan} className={textLinkClass}>
              See plans
            </Link>
          </>
        )}
      </LabelledSelect>
      <LabelledSelect
        label="Style"
        value={options.style}
        options={imageStyleNames.map((value) => ({ value, label: imageStyles[value].name }))}
        onChange={(style) => onChange({ ...options, style })}
      />
      <TextAreaField
        label={optionTexts.negativePrompt}
        rows={2}
        maxLength={limits.negativePromptCharacters}
        value={options.negativePrompt}
        onChange={(event) => onChange({ ...options, negativePrompt: event.target.value })}
      />
      {!hidden.includes('background') && (
        <div>
          <div className="flex items-center justify-between gap-3">
            <label htmlFor={`${id}-background`} className="text-sm font-semibold">
              Transparent background
            </label>
            <Switch
              id={`${id}-background`}
              checked={options.background === 'transparent'}
              disabled={!isTransparentOffered}
              describedBy={`${id}-background-hint`}
              onChange={(on) => onChange({ ...options, background: on ? 'transparent' : 'opaque' })}
            />
          </div>
          <p id={`${id}-background-hint`} className="mt-1 text-sm text-ink-soft">
            {isTransparentOffered
              ? 'Only the product, without a scene behind it.'
              : 'Not available from the image service in use.'}
          </p>
        </div>
      )}
    </>
  );
}

export interface StudioOptionFieldsProps extends OptionLimits {
  options: StudioOptions;
  onChange: (options: StudioOptions) => void;
}

/** The fields of the options of the studio's form; their code is loaded when the section is opened. */
export function StudioOptionFields(props: StudioOptionFieldsProps) {
  const { options, capabilities, mayUse2k, imagesLeft, onChange } = props;
  return (
    <div className="mt-2 grid gap-4">
      <ImageCount
        value={options.numImages}
        imagesLeft={imagesLeft}
        onChange={(numImages) => onChange({ ...options, numImages })}
      />
      <OptionFields {...{ options, capabilities, mayUse2k, onChange }} />
      <SeedField options={options} available={capabilities.seed} onChange={onChange} />
    </div>
  );
}

interface ImageCountProps {
  value: number;
  /** Images that the seller can still make; null without a limit. */
  imagesLeft: number | null;
  onChange: (value: number) => void;
}

const counts = Array.from({ length: limits.imagesPerRequest }, (_, index) => index + 1);

/** Chooses how many images are made from the same photos and description. */
function ImageCount({ value, imagesLeft, onChange }: ImageCountProps) {
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
        {value === 1 ? 'Uses 1 image.' : `${value} variations of the same scene. Uses ${value} images.`}
      </p>
    </fieldset>
  );
}

interface SeedFieldProps {
  options: StudioOptions;
  /** Whether the image service takes seeds. */
  available: boolean;
  onChange: (options: StudioOptions) => void;
}

/** Chooses a seed: a switch, and the number while it is on. */
function SeedField({ options, available, onChange }: SeedFieldProps) {
  const id = useId();
  const { useSeed, seedValue } = options;
  // Null unless the field is empty for the moment; the number stays what it was.
  const [entered, setEntered] = useState<string | null>(null);
  const enter = (text: string) => {
    const digits = latinDigits(text).replace(/\D/g, '').slice(0, String(limits.seed).length);
    setEntered(digits === '' ? '' : null);
    if (digits !== '') onChange({ ...options, seedValue: Number(digits) });
  };
  return (
    <div>
      <div className="flex items-center justify-between gap-3">
        <label htmlFor={id} className="text-sm font-semibold">
          Use a seed
        </label>
        <Switch
          id={id}
          checked={useSeed}
          disabled={!available}
          describedBy={`${id}-hint`}
          onChange={(on) =>
            onChange({ ...options, useSeed: on, ...(on && seedValue === 0 && { seedValue: newSeed() }) })
          }
        />
      </div>
      {useSeed && (
        <input
          aria-label="Seed"
          aria-describedby={`${id}-hint`}
          inputMode="numeric"
          autoComplete="off"
          value={entered ?? seedValue}
          onChange={(event) => enter(event.target.value)}
          onBlur={() => setEntered(null)}
          className={`${inputClass} mt-1.5`}
        />
      )}
      <p id={`${id}-hint`} className="mt-1 text-sm text-ink-soft">
        {available
          ? 'The same seed with the same photos and description makes the same image.'
          : 'Not available: the image service in use takes no seeds.'}
      </p>
    </div>
  );
}

function newSeed(): number {
  return 1 + Math.floor(Math.random() * limits.seed);
}
