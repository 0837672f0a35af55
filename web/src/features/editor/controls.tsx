import clsx from 'clsx';
import { RotateCcwSquare, RotateCwSquare } from 'lucide-react';
import { useId, useState } from 'react';
import { type EditCrop, type EditRecipe, straightenMost } from '#contract/edit-recipe.ts';
import { latinDigits } from '#contract/latin-digits.ts';
import { Button } from '#web/ui/button.tsx';
import { inputClass } from '#web/ui/field.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { type CropField, type CropSize, cropRatios, toRectangle, turned, withField } from './crops.ts';
import type { RecipeAction } from './recipe-history.ts';

interface ControlsProps {
  recipe: EditRecipe;
  dispatch: (action: RecipeAction) => void;
}

/** Turns by 90 degrees, and straightening. */
export function TurnControls({ recipe, dispatch }: ControlsProps) {
  const turn = (clockwise: boolean) => dispatch({ kind: 'change', change: turned(recipe, clockwise) });
  return (
    <div className="grid gap-4">
      <div className="grid grid-cols-2 gap-2">
        <Button variant="secondary" onClick={() => turn(false)}>
          <RotateCcwSquare aria-hidden className="size-4.5" />
          Left
        </Button>
        <Button variant="secondary" onClick={() => turn(true)}>
          <RotateCwSquare aria-hidden className="size-4.5" />
          Right
        </Button>
      </div>
      <Slider
        label="Straighten"
        value={recipe.straighten}
        most={straightenMost}
        step={0.5}
        unit="°"
        onChange={(straighten) => dispatch({ kind: 'change', change: { straighten }, control: 'straighten' })}
        onEnd={() => dispatch({ kind: 'end' })}
      />
    </div>
  );
}

const colourSliders = [
  ['brightness', 'Brightness'],
  ['contrast', 'Contrast'],
  ['saturation', 'Saturation'],
  ['warmth', 'Warmth'],
] as const;

/** Colours and background. */
export function ColourControls({ recipe, dispatch }: ControlsProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      {colourSliders.map(([field, label]) => (
        <Slider
          key={field}
          label={label}
          value={recipe[field]}
          most={100}
          onChange={(value) => dispatch({ kind: 'change', change: { [field]: value }, control: field })}
          onEnd={() => dispatch({ kind: 'end' })}
        />
      ))}
      <div className="mt-2 flex items-center justify-between gap-4">
        <div>
          <label htmlFor={id} className="text-sm font-semibold">
            Pure white background
          </label>
          <p id={`${id}-about`} className="text-sm text-ink-soft">
            For a background that is nearly white.
          </p>
        </div>
        <Switch
          id={id}
          describedBy={`${id}-about`}
          checked={recipe.whiteBackground}
          onChange={(whiteBackground) => dispatch({ kind: 'change', change: { whiteBackground } })}
        />
      </div>
    </div>
  );
}

interface SliderProps {
  label: string;
  value: number;
  /** The range is the same to both sides of 0. */
  most: number;
  step?: number;
  /** After the value, for example °. */
  unit?: string;
  onChange: (value: number) => void;
  /** The movement has ended. */
  onEnd: () => void;
}

/** A slider with its label and value. */
function Slider({ label, value, most, step = 1, unit = '', onChange, onEnd }: SliderProps) {
  const id = useId();
  const text = `${value > 0 ? '+' : ''}${value}${unit}`;
  return (
    <div>
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        <output htmlFor={id} className="text-ink-soft tabular-nums">
          {text}
        </output>
      </div>
      <input
        id={id}
        type="range"
        min={-most}
        max={most}
        step={step}
        value={value}
        aria-valuetext={text}
        onChange={(event) => onChange(event.target.valueAsNumber)}
        onPointerUp={onEnd}
        onBlur={onEnd}
        className="h-11 w-full cursor-pointer accent-accent"
      />
    </div>
  );
}

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
