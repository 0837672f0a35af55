import clsx from 'clsx';
import { RotateCcw, ShieldAlert, ShieldCheck } from 'lucide-react';
import { useId } from 'react';
import type { GenerationView } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { useRemake } from './api.ts';

type Level = NonNullable<GenerationView['match']>['level'];

const levels: Readonly<Record<Level, { label: string; hint: string }>> = {
  high: {
    label: 'high',
    hint: 'Shape, colours and label of your product are the same as in your photos.',
  },
  medium: {
    label: 'medium',
    hint: 'We could not compare every part of your product with your photos. Have a look at it before you use the image.',
  },
  low: {
    label: 'low: check the label',
    hint: 'Parts of your product may differ from your photos. Compare shape, colours and label before you use the image.',
  },
};

interface ProductMatchProps {
  view: GenerationView & { match: NonNullable<GenerationView['match']> };
  /** Shows or hides the matched area in the image. */
  onHighlight: (highlighted: boolean) => void;
  onShow: (id: string) => void;
}

/** Whether the image shows the product of the photos; a low match can be made again at no charge. */
export function ProductMatch({ view, onHighlight, onShow }: ProductMatchProps) {
  const id = useId();
  const { level, area } = view.match;
  const showsArea = area !== null && view.edits === null;
  const { label, hint } = levels[level];
  const remake = useRemake(onShow);
  const Icon = level === 'low' ? ShieldAlert : ShieldCheck;
  return (
    <section aria-labelledby={id} className="grid gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <button
          type="button"
          id={id}
          aria-describedby={`${id}-hint`}
          onPointerEnter={() => onHighlight(true)}
          onPointerLeave={() => onHighlight(false)}
          onFocus={() => onHighlight(true)}
          onBlur={() => onHighlight(false)}
          className={clsx(
            'inline-flex min-h-11 cursor-default items-center gap-2 rounded-full px-4 font-semibold',
            level === 'high' && 'bg-good-wash text-good',
            level === 'medium' && 'bg-sunken text-ink',
            level === 'low' && 'bg-danger-wash text-danger',
          )}
        >
          <Icon aria-hidden className="size-4.5 shrink-0" />
          Product match: {label}
        </button>
        {view.remake === 'offered' && (
          <Button variant="secondary" disabled={remake.isPending} onClick={() => remake.mutate(view.id)}>
            <RotateCcw aria-hidden className="size-4" />
            Make it again at no charge
          </Button>
        )}
      </div>
      <p id={`${id}-hint`} className="max-w-prose text-ink-soft">
        {hint}
        {showsArea && ' Point at the result, or tap it, to see where we found your product.'}
      </p>
    </section>
  );
}
