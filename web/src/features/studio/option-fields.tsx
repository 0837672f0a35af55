import { useId } from 'react';
import { Link } from 'react-router-dom';
import {
  type ImageSize,
  imageSizeNames,
  imageSizeOf,
  imageSizes,
  imageStyleNames,
  imageStyles,
  limits,
  mayUse,
  pages,
  planIds,
  plans,
} from '#contract';
import type { StudioOptions } from '#web/lib/studio-options.ts';
import { LabelledSelect } from '#web/ui/labelled-select.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { textLinkClass } from '#web/ui/text-link.ts';
import { ImageCount } from './image-count.tsx';
import { SeedField } from './seed-field.tsx';
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

export interface OptionFieldsProps extends OptionLimits {
  options: StudioOptions;
  onChange: (options: StudioOptions) => void;
}

/** The fields of the options; their code is loaded when the section is opened (options-section.tsx). */
export function OptionFields(props: OptionFieldsProps) {
  const { options, capabilities, mayUse2k, imagesLeft, onChange } = props;
  const id = useId();
  const size = imageSizeOf(options.width, options.height) ?? 'square';
  const offers2k = capabilities.sizes.includes('square-2k');
  return (
    <div className="mt-2 grid gap-4">
      <ImageCount
        value={options.numImages}
        imagesLeft={imagesLeft}
        onChange={(numImages) => onChange({ ...options, numImages })}
      />
      <LabelledSelect
        label="Size"
        value={size}
        options={imageSizeNames
          .filter((name) => capabilities.sizes.includes(name))
          .map((name) => ({
            value: name,
            label: `${sizeNames[name]} · ${imageSizes[name].width} × ${imageSizes[name].height}`,
            disabled: name === 'square-2k' && !mayUse2k,
          }))}
        onChange={(name) => onChange({ ...options, ...imageSizes[name] })}
      >
        {offers2k && !mayUse2k && (
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
        label="What to avoid"
        rows={2}
        maxLength={limits.negativePromptCharacters}
        value={options.negativePrompt}
        onChange={(event) => onChange({ ...options, negativePrompt: event.target.value })}
      />
      <div>
        <div className="flex items-center justify-between gap-3">
          <label htmlFor={`${id}-background`} className="text-sm font-semibold">
            Transparent background
          </label>
          <Switch
            id={`${id}-background`}
            checked={options.background === 'transparent'}
            disabled={!capabilities.transparentBackground}
            describedBy={`${id}-background-hint`}
            onChange={(on) => onChange({ ...options, background: on ? 'transparent' : 'opaque' })}
          />
        </div>
        <p id={`${id}-background-hint`} className="mt-1 text-sm text-ink-soft">
          {capabilities.transparentBackground
            ? 'Only the product, without a scene behind it.'
            : 'Not available from the image service in use.'}
        </p>
      </div>
      <SeedField options={options} available={capabilities.seed} onChange={onChange} />
    </div>
  );
}
