import { useState } from 'react';
import { imageSizeOf, imageSizes, latinDigits, limits } from '#contract';
import type { StudioOptions } from '#web/lib/studio-options.ts';
import { inputClass } from '#web/ui/field.tsx';
import { AvoidField, BackgroundField, LargeNeedsPlan, SwitchField } from './option-fields.tsx';
import type { OptionLimits } from './usable-options.ts';

interface StudioOptionFieldsProps extends OptionLimits {
  options: StudioOptions;
  onChange: (options: StudioOptions) => void;
}

/** The options of the studio's form that have no place in its row; their code is loaded when they are first shown. */
export function StudioOptionFields(props: StudioOptionFieldsProps) {
  const { options, capabilities, mayUse2k, onChange } = props;
  const isLarge = imageSizeOf(options.width, options.height) === 'square-2k';
  return (
    <>
      <AvoidField options={options} onChange={onChange} />
      <BackgroundField options={options} onChange={onChange} available={capabilities.transparentBackground} />
      {capabilities.sizes.includes('square-2k') && (
        <SwitchField
          label="Large square"
          checked={isLarge}
          disabled={!mayUse2k}
          onChange={(on) => onChange({ ...options, ...imageSizes[on ? 'square-2k' : 'square'] })}
        >
          {mayUse2k ? '2048 × 2048 pixels.' : <LargeNeedsPlan />}
        </SwitchField>
      )}
      <SeedField options={options} available={capabilities.seed} onChange={onChange} />
    </>
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
  const { useSeed, seedValue } = options;
  // Null unless the field is empty for the moment; the number stays what it was.
  const [entered, setEntered] = useState<string | null>(null);
  const enter = (text: string) => {
    const digits = latinDigits(text).replace(/\D/g, '').slice(0, String(limits.seed).length);
    setEntered(digits === '' ? '' : null);
    if (digits !== '') onChange({ ...options, seedValue: Number(digits) });
  };
  return (
    <SwitchField
      label="Use a seed"
      checked={useSeed}
      disabled={!available}
      onChange={(on) =>
        onChange({ ...options, useSeed: on, ...(on && seedValue === 0 && { seedValue: newSeed() }) })
      }
      renderField={(hintId) =>
        useSeed && (
          <input
            aria-label="Seed"
            aria-describedby={hintId}
            inputMode="numeric"
            autoComplete="off"
            value={entered ?? seedValue}
            onChange={(event) => enter(event.target.value)}
            onBlur={() => setEntered(null)}
            className={`${inputClass} mt-1.5`}
          />
        )
      }
    >
      {available
        ? 'The same seed with the same photos and description makes the same image.'
        : 'Not available: the image service in use takes no seeds.'}
    </SwitchField>
  );
}

function newSeed(): number {
  return 1 + Math.floor(Math.random() * limits.seed);
}
