import { useState } from 'react';
import { latinDigits, type Mark } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';

interface RectangleFieldsProps {
  image: { width: number; height: number };
  onAdd: (mark: Mark) => void;
}

const names = { left: 'Left', top: 'Top', width: 'Width', height: 'Height' } as const;
type Side = keyof typeof names;

/** Marks a rectangle by its position and size in pixels: the way without a pointer. */
export function RectangleFields({ image, onAdd }: RectangleFieldsProps) {
  const [sides, setSides] = useState<Record<Side, string>>({
    left: '0',
    top: '0',
    width: String(Math.round(image.width / 2)),
    height: String(Math.round(image.height / 2)),
  });
  const mark = () => {
    const number = (side: Side, most: number) => Math.min(most, Math.max(0, Number(sides[side]) || 0));
    const left = number('left', image.width - 1);
    const top = number('top', image.height - 1);
    const width = Math.max(1, number('width', image.width - left));
    const height = Math.max(1, number('height', image.height - top));
    onAdd({ kind: 'rectangle', left, top, width, height });
  };
  return (
    <details className="text-sm">
      <summary className="min-h-11 content-center font-semibold">Mark a rectangle by numbers</summary>
      <div className="grid grid-cols-2 gap-2">
        {(Object.keys(names) as Side[]).map((side) => (
          <Field
            key={side}
            label={names[side]}
            inputMode="numeric"
            autoComplete="off"
            value={sides[side]}
            onChange={({ target }) =>
              setSides({ ...sides, [side]: latinDigits(target.value).replace(/\D/g, '') })
            }
          />
        ))}
      </div>
      <Button variant="secondary" className="mt-2" onClick={mark}>
        Mark rectangle
      </Button>
    </details>
  );
}
