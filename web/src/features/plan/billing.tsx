import { useState } from 'react';
import { defaultPlan, type PlanId, planIds, plans, type SubscriptionView } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PlanFeatures, PlanPrice } from '#web/ui/plan-features.tsx';
import { Section } from '#web/ui/section.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { useRefreshSubscription } from './api.ts';
import { useSubscribe } from './change-plan.ts';
import { ChangePlanDialog } from './change-plan-dialog.tsx';
import { ImagePacksSection } from './image-packs.tsx';
import { SubscriptionCard } from './subscription-card.tsx';
import { isLive, offeredPlan } from './subscription-labels.ts';

/** The subscription, fetched from Stripe, the available plans, and packs of images if some are sold. */
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
    else selectPlan({ plan });
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
      <ImagePacksSection />
      {planToConfirm !== null && (
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
      )}
    </>
  );
}

interface AvailablePlansProps {
  subscription: SubscriptionView;
  /** The plan that is being selected; null for none. */
  pendingPlan: PlanId | null;
  onSelect: (plan: PlanId) => void;
}

/** All plans; the current and the next one cannot be selected. The filled button of the page is that of the subscription. */
function AvailablePlans({ subscription, pendingPlan, onSelect }: AvailablePlansProps) {
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
        variant="secondary"
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
