import { useId, useState } from 'react';
import { latinDigits, limits } from '#contract';
import type { StudioOptions } from '#web/lib/studio-options.ts';
import { inputClass } from '#web/ui/field.tsx';
import { Switch } from '#web/ui/switch.tsx';

interface SeedFieldProps {
  options: StudioOptions;
  /** Whether the image service takes seeds. */
  available: boolean;
  onChange: (options: StudioOptions) => void;
}

/** Chooses a seed: a switch, and the number while it is on. */
export function SeedField({ options, available, onChange }: SeedFieldProps) {
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
