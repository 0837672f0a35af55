import { Check } from 'lucide-react';
import { plans, type SubscriptionStatus, type SubscriptionView } from '../../../../shared/contract/index.ts';
import { PlanMeter } from './plan-meter.tsx';

const statusLabels: Readonly<Record<SubscriptionStatus, string>> = {
  inactive: 'Inactive',
  active: 'Active',
  trialing: 'Trial',
  past_due: 'Payment overdue',
  unpaid: 'Unpaid',
  incomplete: 'Payment not completed',
  incomplete_expired: 'Expired',
  paused: 'Paused',
  canceled: 'Cancelled',
};

/** The plan, its state, and what is left of it. */
export function PlanCard({ subscription }: { subscription: SubscriptionView }) {
  const plan = plans[subscription.plan];
  return (
    <section
      aria-labelledby="plan-heading"
      className="rounded-card border border-line bg-surface p-5 shadow-card sm:p-7"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="plan-heading" className="text-lg font-semibold">
          {plan.name} plan
        </h2>
        <span
          className={
            subscription.isActive
              ? 'rounded-full bg-good-wash px-3 py-1 text-sm font-semibold text-good'
              : 'rounded-full bg-danger-wash px-3 py-1 text-sm font-semibold text-danger'
          }
        >
          {statusLabels[subscription.status]}
        </span>
      </div>
      <p className="mt-1 text-ink-soft">${plan.monthlyPriceCents / 100} a month</p>
      <PlanMeter subscription={subscription} className="mt-5" />
      <ul className="mt-5 grid gap-2">
        {plan.features.map((feature) => (
          <li key={feature} className="flex items-center gap-2.5">
            <Check aria-hidden className="size-4 text-good" strokeWidth={3} />
            {feature}
          </li>
        ))}
      </ul>
    </section>
  );
}
