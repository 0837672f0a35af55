import { type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import {
  type ImageCapabilities,
  type ImageOptions,
  type ImageSize,
  imageRatios,
  imageSizeNames,
  imageSizeOf,
  imageSizes,
  imageStyleNames,
  imageStyles,
  limits,
  mayUse,
  optionTexts,
  pages,
  planIds,
  plans,
} from '#contract';
import { textLinkClass } from '#web/ui/button.tsx';
import { TextAreaField } from '#web/ui/field.tsx';
import { LabelledSelect } from '#web/ui/select.tsx';
import { Switch } from '#web/ui/switch.tsx';

/** The plans with 2048 × 2048. */
const plansWith2k = planIds
  .filter((plan) => mayUse('resolution-2k', { plan, canGenerate: true }))
  .map((plan) => plans[plan].name)
  .join(' and ');

/** Says which plan has 2048 × 2048. */
export function LargeNeedsPlan() {
  return (
    <>
      2048 × 2048 is part of the {plansWith2k} plan.{' '}
      <Link to={pages.plan} className={textLinkClass}>
        See plans
      </Link>
    </>
  );
}

/** What a size is called. */
function sizeName(name: ImageSize): string {
  const { width, height } = imageSizes[name];
  if (name === 'square-2k') return 'Large square';
  const shape = width === height ? 'Square' : width < height ? 'Portrait' : 'Landscape';
  return `${shape} ${imageRatios[name]}`;
}

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
            label: `${sizeName(name)} · ${imageSizes[name].width} × ${imageSizes[name].height}`,
            disabled: name === 'square-2k' && !mayUse2k,
          }))}
        onChange={(name) => onChange({ ...options, ...imageSizes[name] })}
      >
        {offers('square-2k') && !mayUse2k && <LargeNeedsPlan />}
      </LabelledSelect>
      <LabelledSelect
        label="Style"
        value={options.style}
        options={imageStyleNames.map((value) => ({ value, label: imageStyles[value].name }))}
        onChange={(style) => onChange({ ...options, style })}
      />
      <AvoidField options={options} onChange={onChange} />
      {!hidden.includes('background') && (
        <BackgroundField options={options} onChange={onChange} available={isTransparentOffered} />
      )}
    </>
  );
}

interface OptionFieldProps<Options extends ImageOptions> {
  options: Options;
  onChange: (options: Options) => void;
}

/** What the image must not show. */
export function AvoidField<Options extends ImageOptions>({ options, onChange }: OptionFieldProps<Options>) {
  return (
    <TextAreaField
      label={optionTexts.negativePrompt}
      rows={2}
      maxLength={limits.negativePromptCharacters}
      value={options.negativePrompt}
      onChange={(event) => onChange({ ...options, negativePrompt: event.target.value })}
    />
  );
}

/** Whether the image has a transparent background. @param available whether the image service has it */
export function BackgroundField<Options extends ImageOptions>({
  options,
  onChange,
  available,
}: OptionFieldProps<Options> & { available: boolean }) {
  return (
    <SwitchField
      label="Transparent background"
      checked={options.background === 'transparent'}
      disabled={!available}
      onChange={(on) => onChange({ ...options, background: on ? 'transparent' : 'opaque' })}
    >
      {available
        ? 'Only the product, without a scene behind it.'
        : 'Not available from the image service in use.'}
    </SwitchField>
  );
}

interface SwitchFieldProps {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
  /** Between the switch and the hint. @param hintId of the hint */
  renderField?: (hintId: string) => ReactNode;
  /** A hint below it. */
  children: ReactNode;
}

/** A switch with its label and a hint. */
export function SwitchField(props: SwitchFieldProps) {
  const { label, checked, disabled = false, onChange, renderField, children } = props;
  const id = useId();
  return (
    <div>
      <div className="flex items-center justify-between gap-3">
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
        </label>
        <Switch
          id={id}
          checked={checked}
          disabled={disabled}
          describedBy={`${id}-hint`}
          onChange={onChange}
        />
      </div>
      {renderField?.(`${id}-hint`)}
      <p id={`${id}-hint`} className="mt-1 text-sm text-ink-soft">
        {children}
      </p>
    </div>
  );
}
