import clsx from 'clsx';
import { planIds, plans, type SubscriptionView } from '#contract';
import { formatPrice } from '#web/lib/price.ts';
import { FieldError } from '#web/ui/field.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { useSubscribe } from './api.ts';

/** Every plan with its price and a button that opens its checkout. The plan chosen at sign-up is emphasised. */
export function PlanChoice({ subscription }: { subscription: SubscriptionView }) {
  const { selectPlan, pendingPlan, error } = useSubscribe({ returnTo: 'studio' });
  return (
    <>
      <ul className="grid gap-2">
        {planIds.map((id) => {
          const plan = plans[id];
          const chosen = subscription.plan === id;
          return (
            <li
              key={id}
              className={clsx(
                'flex items-center justify-between gap-3 rounded-field border py-2.5 pr-2.5 pl-3.5',
                chosen ? 'border-accent' : 'border-line-strong',
              )}
            >
              <div className="min-w-0 text-sm text-ink-soft">
                <p className="text-base font-semibold text-ink">{plan.name}</p>
                <p>
                  <span className="font-semibold text-ink">{formatPrice(plan.monthlyPriceCents)}</span> a
                  month
                </p>
                <p>{plan.features[0]?.name}</p>
              </div>
              <SubmitButton
                type="button"
                variant={chosen ? 'primary' : 'secondary'}
                className="shrink-0"
                busy={pendingPlan === id}
                busyLabel="One moment..."
                disabled={pendingPlan !== null}
                aria-label={`Choose ${plan.name}`}
                onClick={() => selectPlan(id)}
              >
                Choose
              </SubmitButton>
            </li>
          );
        })}
      </ul>
      <FieldError id="subscribe-error">{error}</FieldError>
    </>
  );
}
