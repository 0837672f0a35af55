import { useId } from 'react';

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
export function Slider({ label, value, most, step = 1, unit = '', onChange, onEnd }: SliderProps) {
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
