import clsx from 'clsx';
import { Check } from 'lucide-react';
import type { Plan, PlanFeature } from '#contract';
import { formatPrice } from '#web/lib/price.ts';
import { SiteLink } from '#web/ui/site/site-link.tsx';

interface PlanFeaturesProps {
  plan: Plan;
  className?: string;
  /** Opens the guides in a new tab, so that a form is not left. */
  newTab?: boolean;
}

/** A plan's features, each with what it is today and a link to its guide. */
export function PlanFeatures({ plan, className, newTab = false }: PlanFeaturesProps) {
  return (
    <ul className={clsx('grid gap-1', className)}>
      {plan.features.map((feature) => (
        <Feature key={feature.name} feature={feature} newTab={newTab} />
      ))}
    </ul>
  );
}

function Feature({ feature, newTab }: { feature: PlanFeature; newTab: boolean }) {
  const { name, detail, guide } = feature;
  return (
    <li className="flex gap-3">
      <Check aria-hidden className="mt-2.5 size-4.5 shrink-0 text-good" strokeWidth={3} />
      {/* The whole line, so that it is large enough to touch. */}
      <SiteLink
        to={guide}
        {...(newTab && { target: '_blank' })}
        className="group block min-h-11 flex-1 rounded-field py-1.5"
      >
        <span className="underline decoration-line-strong underline-offset-3 group-hover:decoration-current">
          {name}
        </span>
        <span className="block text-sm text-ink-soft">{detail}</span>
        {newTab && <span className="sr-only">(opens in a new tab)</span>}
      </SiteLink>
    </li>
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
