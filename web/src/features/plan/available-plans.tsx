import { type PlanId, planIds, plans, type SubscriptionView } from '#contract';
import { PlanFeatures, PlanPrice } from '#web/ui/plan-features.tsx';
import { Section } from '#web/ui/section.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { isLive } from './subscription-labels.ts';

interface AvailablePlansProps {
  subscription: SubscriptionView;
  /** The plan that is being selected; null for none. */
  pendingPlan: PlanId | null;
  onSelect: (plan: PlanId) => void;
}

/** All plans; the current and the next one cannot be selected. */
export function AvailablePlans({ subscription, pendingPlan, onSelect }: AvailablePlansProps) {
  return (
    <Section id="plans" title="Available Plans">
      <ul className="grid gap-4 sm:grid-cols-2">
        {planIds.map((id) => (
          <PlanItem
            key={id}
            planId={id}
            current={isLive(subscription) && subscription.plan === id}
            next={subscription.nextPlan?.plan === id}
            pendingPlan={pendingPlan}
            onSelect={() => onSelect(id)}
          />
        ))}
      </ul>
    </Section>
  );
}

interface PlanItemProps {
  planId: PlanId;
  current: boolean;
  /** Whether it replaces the current plan when the period ends. */
  next: boolean;
  pendingPlan: PlanId | null;
  onSelect: () => void;
}

function PlanItem({ planId, current, next, pendingPlan, onSelect }: PlanItemProps) {
  const plan = plans[planId];
  const label = selectLabel(current, next);
  return (
    <li
      className={`flex flex-col rounded-card border p-5 ${current ? 'border-accent ring-1 ring-accent' : 'border-line'}`}
    >
      <h3 className="text-lg font-semibold">{plan.name}</h3>
      <PlanPrice plan={plan} className="mt-1" />
      <PlanFeatures plan={plan} className="mt-4 mb-6" />
      <SubmitButton
        type="button"
        variant={current || next ? 'secondary' : 'primary'}
        className="mt-auto"
        busy={pendingPlan === planId && !current}
        busyLabel="One moment..."
        disabled={current || next || pendingPlan !== null}
        aria-label={`${label}: ${plan.name}`}
        onClick={onSelect}
      >
        {label}
      </SubmitButton>
    </li>
  );
}

function selectLabel(current: boolean, next: boolean): string {
  if (current) return 'Current Plan';
  return next ? 'Your next plan' : 'Select Plan';
}
