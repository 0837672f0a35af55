import clsx from 'clsx';
import { useState } from 'react';
import type { EditCrop } from '#contract/edit-recipe.ts';
import { latinDigits } from '#contract/latin-digits.ts';
import { inputClass } from '#web/ui/field.tsx';
import { type CropField, type CropSize, cropRatios, toRectangle, withField } from './crops.ts';

interface CropControlsProps {
  crop: EditCrop | null;
  /** The size of the image before the crop, in pixels. */
  size: CropSize;
  ratio: number | null;
  onRatio: (ratio: number | null) => void;
  /** @param control that changed it; all its changes are one step until `onEnd` */
  onChange: (crop: EditCrop | null, control: string) => void;
  onEnd: () => void;
}

const fields: readonly [CropField, string][] = [
  ['left', 'Left'],
  ['top', 'Top'],
  ['width', 'Width'],
  ['height', 'Height'],
];

/** Ratio, position and size of the crop. */
export function CropControls({ crop, size, ratio, onRatio, onChange, onEnd }: CropControlsProps) {
  const rectangle = toRectangle(crop, size);
  return (
    <div className="grid gap-4">
      <fieldset>
        <legend className="mb-2 text-sm font-semibold">Ratio</legend>
        <div className="grid grid-cols-3 gap-2">
          {cropRatios.map(({ name, ratio: each }) => (
            <button
              key={name}
              type="button"
              aria-pressed={ratio === each}
              onClick={() => onRatio(each)}
              className={clsx(
                'min-h-11 rounded-field border text-sm font-semibold text-ink',
                ratio === each
                  ? 'border-accent bg-accent-wash'
                  : 'border-line-strong bg-surface hover:bg-sunken',
              )}
            >
              {name}
            </button>
          ))}
        </div>
        <p className="mt-2 text-sm text-ink-soft">
          {cropRatios.find(({ ratio: each }) => each === ratio)?.use}
        </p>
      </fieldset>
      <fieldset>
        <legend className="mb-2 text-sm font-semibold">Position and size in pixels</legend>
        <div className="grid grid-cols-4 gap-2">
          {fields.map(([field, label]) => (
            <PixelField
              key={field}
              label={label}
              value={Math.round(rectangle[field])}
              onChange={(value) => onChange(withField(crop, size, { field, value, ratio }), `crop ${field}`)}
              onEnd={onEnd}
            />
          ))}
        </div>
      </fieldset>
    </div>
  );
}

interface PixelFieldProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
  /** The field was left. */
  onEnd: () => void;
}

/** A number that is applied while it is typed. What was typed stays until the field is left. */
function PixelField({ label, value, onChange, onEnd }: PixelFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <label className="text-xs text-ink-soft">
      {label}
      <input
        inputMode="numeric"
        autoComplete="off"
        value={typed ?? value}
        onChange={({ target }) => {
          const digits = latinDigits(target.value).replace(/\D/g, '');
          setTyped(digits);
          if (digits !== '') onChange(Number(digits));
        }}
        onBlur={() => {
          setTyped(null);
          onEnd();
        }}
        className={clsx(inputClass, 'mt-1 px-2! tabular-nums')}
      />
    </label>
  );
}
