import { type PlanId, planIds, plans, type SubscriptionView } from '#contract';
import { PlanFeatures, PlanPrice } from '#web/ui/plan-features.tsx';
import { Section } from '#web/ui/section.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { isLive } from './subscription-labels.ts';

interface AvailablePlansProps {
  subscription: SubscriptionView;
  /** The plan that is being chosen; null while none is. */
  choosing: string | null;
  onSelect: (plan: PlanId) => void;
}

/** Both plans; the current one cannot be selected. */
export function AvailablePlans({ subscription, choosing, onSelect }: AvailablePlansProps) {
  return (
    <Section id="plans" title="Available Plans">
      <ul className="grid gap-4 sm:grid-cols-2">
        {planIds.map((id) => {
          const plan = plans[id];
          const current = isLive(subscription) && subscription.plan === id;
          const comes = subscription.nextPlan?.plan === id;
          return (
            <li
              key={id}
              className={`flex flex-col rounded-card border p-5 ${current ? 'border-accent ring-1 ring-accent' : 'border-line'}`}
            >
              <h3 className="text-lg font-semibold">{plan.name}</h3>
              <PlanPrice plan={plan} className="mt-1" />
              <PlanFeatures plan={plan} className="mt-4 mb-6" />
              <SubmitButton
                type="button"
                look={current || comes ? 'secondary' : 'primary'}
                className="mt-auto"
                busy={choosing === id && !current}
                busyLabel="One moment..."
                disabled={current || comes || choosing !== null}
                aria-label={`${current ? 'Current Plan' : comes ? 'Your next plan' : 'Select Plan'}: ${plan.name}`}
                onClick={() => onSelect(id)}
              >
                {current ? 'Current Plan' : comes ? 'Your next plan' : 'Select Plan'}
              </SubmitButton>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
