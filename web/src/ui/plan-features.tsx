import clsx from 'clsx';
import { Check } from 'lucide-react';
import type { Plan } from '#contract';
import { formatPrice } from '#web/lib/price.ts';

/** A plan's features, as a list with check marks. */
export function PlanFeatures({ plan, className }: { plan: Plan; className?: string }) {
  return (
    <ul className={clsx('grid gap-2.5', className)}>
      {plan.features.map((feature) => (
        <li key={feature} className="flex items-center gap-3">
          <Check aria-hidden className="size-4.5 shrink-0 text-good" strokeWidth={3} />
          {feature}
        </li>
      ))}
    </ul>
  );
}

/** The price of a plan: `$50 a month`. */
export function PlanPrice({ plan, className }: { plan: Plan; className?: string }) {
  return (
    <p className={clsx('text-ink-soft', className)}>
      <span className="text-4xl font-bold tracking-tight text-ink">
        {formatPrice(plan.monthlyPriceCents)}
      </span>{' '}
      a month
    </p>
  );
}
