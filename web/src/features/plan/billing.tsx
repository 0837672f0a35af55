import { useState } from 'react';
import { defaultPlan, type PlanId, type SubscriptionView } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useRefreshSubscription, useSubscribe } from './api.ts';
import { AvailablePlans } from './available-plans.tsx';
import { ChangePlanDialog } from './change-plan-dialog.tsx';
import { SubscriptionCard } from './subscription-card.tsx';
import { isLive, offeredPlan } from './subscription-labels.ts';

/** The subscription, fetched from Stripe, and the available plans. */
export function Billing({ subscription }: { subscription: SubscriptionView }) {
  const [planToConfirm, setPlanToConfirm] = useState<PlanId | null>(null);
  const { selectPlan, pendingPlan, error, clearError } = useSubscribe({
    onChanged: () => setPlanToConfirm(null),
    returnTo: 'profile',
  });
  const reading = useRefreshSubscription();

  const select = (plan: PlanId) => {
    clearError();
    // A change of plan is confirmed in a dialog; a new subscription in the checkout.
    if (isLive(subscription) && plan !== subscription.plan) setPlanToConfirm(plan);
    else selectPlan(plan);
  };
  return (
    <>
      {reading.unsettled && (
        <div className="grid justify-items-start gap-2">
          {reading.error && <Notice tone="danger">{reading.error}</Notice>}
          <Button variant="secondary" aria-disabled={reading.refreshing} onClick={reading.refresh}>
            {reading.refreshing ? 'Loading...' : 'Try again'}
          </Button>
        </div>
      )}
      {error && planToConfirm === null && (
        <Notice tone="danger" scrollIntoView>
          {error}
        </Notice>
      )}
      <SubscriptionCard
        subscription={subscription}
        pendingPlan={pendingPlan}
        onSubscribe={() => select(defaultPlan)}
        onChange={() => select(offeredPlan(subscription.plan).plan)}
        onKeep={() => select(subscription.plan)}
      />
      <AvailablePlans subscription={subscription} pendingPlan={pendingPlan} onSelect={select} />
      <ChangePlanDialog
        subscription={subscription}
        plan={planToConfirm}
        busy={pendingPlan !== null}
        error={error}
        onConfirm={selectPlan}
        onClose={() => {
          clearError();
          setPlanToConfirm(null);
        }}
      />
    </>
  );
}
