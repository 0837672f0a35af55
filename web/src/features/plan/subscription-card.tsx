import clsx from 'clsx';
import { plans, type SubscriptionView } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/section.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { PlanMeter } from './plan-meter.tsx';
import { isLive, otherPlan, paymentLabel, statusLabels, whatComesNext } from './subscription-labels.ts';
import { usePortal } from './use-portal.ts';

interface SubscriptionCardProps {
  subscription: SubscriptionView;
  /** The plan that is being chosen; null while none is. */
  choosing: string | null;
  /** Called by "Subscribe Now". */
  onSubscribe: () => void;
  /** Upgrade Plan or Downgrade Plan. */
  onChange: () => void;
  /** Stays with the plan: takes back a cancellation or a change that was to come. */
  onKeep: () => void;
}

/** The plan, its state, what comes next, what is left, and the ways to change it. */
export function SubscriptionCard({
  subscription,
  choosing,
  onSubscribe,
  onChange,
  onKeep,
}: SubscriptionCardProps) {
  const dates = useDates();
  const portal = usePortal();
  const live = isLive(subscription);
  const plan = plans[subscription.plan];
  const payment = paymentLabel(subscription);
  const portalButton = subscription.hasBilling && (
    <SubmitButton
      type="button"
      look="secondary"
      busy={portal.busy}
      busyLabel="Opening..."
      onClick={portal.open}
    >
      Manage Billing
    </SubmitButton>
  );
  const badge = (
    <span
      className={clsx(
        'rounded-full px-3 py-1 text-sm font-semibold',
        subscription.canGenerate && subscription.status !== 'past_due'
          ? 'bg-good-wash text-good'
          : live
            ? 'bg-danger-wash text-danger'
            : 'bg-sunken text-ink-soft',
      )}
    >
      {statusLabels[subscription.status]}
    </span>
  );

  if (!live) {
    return (
      <Section id="subscription" title="Subscription" end={badge}>
        <p className="text-lg font-semibold">No active subscription found</p>
        <p className="mt-1 text-ink-soft">Subscribe to generate images. You can cancel at any time.</p>
        <div className="mt-5 flex flex-wrap gap-2">
          <SubmitButton
            type="button"
            busy={choosing === 'freelance'}
            busyLabel="One moment..."
            disabled={choosing !== null}
            onClick={onSubscribe}
          >
            Subscribe Now
          </SubmitButton>
          {portalButton}
        </div>
      </Section>
    );
  }

  const facts: [string, string][] = [
    ['Current plan', `${plan.name}, $${plan.monthlyPriceCents / 100} a month`],
    ...whatComesNext(subscription, dates),
    ...(payment ? [['Paid with', payment] as [string, string]] : []),
  ];
  const { upgrade } = otherPlan(subscription.plan);
  const changesBack = subscription.cancelAtPeriodEnd || subscription.nextPlan !== null;
  return (
    <Section id="subscription" title="Subscription" end={badge}>
      <dl className="grid gap-4 min-[26rem]:grid-cols-2">
        {facts.map(([label, value]) => (
          <div key={label} className="grid content-start gap-0.5">
            <dt className="text-sm text-ink-soft">{label}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-5 border-t border-line pt-5">
        <h3 className="mb-1.5 text-sm text-ink-soft">Generations remaining</h3>
        {subscription.unlimited && subscription.canGenerate ? (
          <p className="text-lg font-semibold">Unlimited</p>
        ) : (
          <PlanMeter subscription={subscription} />
        )}
      </div>
      <div className="mt-6 flex flex-wrap gap-2">
        {changesBack && (
          <SubmitButton
            type="button"
            busy={choosing === subscription.plan}
            busyLabel="One moment..."
            disabled={choosing !== null}
            onClick={onKeep}
          >
            {subscription.cancelAtPeriodEnd ? 'Resume' : 'Keep'} {plan.name}
          </SubmitButton>
        )}
        {subscription.nextPlan === null && (
          <Button
            look={upgrade && !changesBack ? 'primary' : 'secondary'}
            disabled={choosing !== null}
            onClick={onChange}
          >
            {upgrade ? 'Upgrade Plan' : 'Downgrade Plan'}
          </Button>
        )}
        {portalButton}
      </div>
    </Section>
  );
}
