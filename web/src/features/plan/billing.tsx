import { useState } from 'react';
import type { PlanId, SubscriptionView } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { AvailablePlans } from './available-plans.tsx';
import { ChangePlanDialog } from './change-plan-dialog.tsx';
import { SubscriptionCard } from './subscription-card.tsx';
import { isLive, otherPlan } from './subscription-labels.ts';
import { useSubscribe } from './use-subscribe.ts';
import { useSubscriptionRead } from './use-subscription-read.ts';

/** The subscription and the plans to choose from: what a seller pays for, read anew from Stripe. */
export function Billing({ subscription }: { subscription: SubscriptionView }) {
  const [asked, setAsked] = useState<PlanId | null>(null);
  const { choose, choosing, problem, clear } = useSubscribe(() => setAsked(null));
  const read = useSubscriptionRead();
  const live = isLive(subscription);

  const select = (plan: PlanId) => {
    clear();
    // What changes a running subscription is asked about; the checkout asks by itself.
    if (live && plan !== subscription.plan) setAsked(plan);
    else choose(plan);
  };
  return (
    <>
      {read.failed && (
        <Notice tone="danger">
          <p>Failed to load subscription data. What you see here may be out of date.</p>
          <Button look="secondary" className="mt-2" disabled={read.busy} onClick={read.again}>
            {read.busy ? 'Loading...' : 'Try again'}
          </Button>
        </Notice>
      )}
      {problem && asked === null && (
        <Notice tone="danger" inSight>
          {problem}
        </Notice>
      )}
      <SubscriptionCard
        subscription={subscription}
        choosing={choosing}
        onSubscribe={() => select('freelance')}
        onChange={() => select(otherPlan(subscription.plan).plan)}
        onKeep={() => select(subscription.plan)}
      />
      <AvailablePlans subscription={subscription} choosing={choosing} onSelect={select} />
      <ChangePlanDialog
        subscription={subscription}
        to={asked}
        busy={choosing !== null}
        problem={problem}
        onConfirm={choose}
        onClose={() => {
          clear();
          setAsked(null);
        }}
      />
    </>
  );
}
