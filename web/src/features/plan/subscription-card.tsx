import clsx from 'clsx';
import { defaultPlan, plans, type SubscriptionView } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { useDates } from '#web/lib/dates.ts';
import { formatPrice } from '#web/lib/price.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/section.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { usePortal } from './api.ts';
import { usePlanChangePreview } from './change-plan.ts';
import { freeImagesLeft, hasFreeImages, usedFreeImages } from './free-images.ts';
import { packImagesLeft } from './packs.ts';
import { nextPaymentText } from './plan-change-labels.ts';
import { PlanMeter } from './plan-meter.tsx';
import { isLive, offeredPlan, paymentLabel, statusLabels, upcomingDates } from './subscription-labels.ts';

interface SubscriptionCardProps {
  subscription: SubscriptionView;
  /** The plan that is being selected; null for none. */
  pendingPlan: string | null;
  /** Called by "Subscribe Now". */
  onSubscribe: () => void;
  /** Upgrades or downgrades. */
  onChange: () => void;
  /** Keeps the plan: reverses a cancellation or a scheduled change. */
  onKeep: () => void;
}

/** The plan, its status, the next dates, the images left, and buttons to change the plan. */
export function SubscriptionCard(props: SubscriptionCardProps) {
  const { subscription, pendingPlan, onSubscribe } = props;
  const badge = <StatusBadge subscription={subscription} />;
  if (!isLive(subscription)) {
    return (
      <Section id="subscription" title="Subscription" trailing={badge}>
        <p className="text-lg font-semibold">No active subscription found</p>
        <p className="mt-1 text-ink-soft">{withoutPlan(subscription)} You can cancel at any time.</p>
        <div className="mt-5 flex flex-wrap gap-2">
          <SubmitButton
            type="button"
            busy={pendingPlan === defaultPlan}
            busyLabel="One moment..."
            disabled={pendingPlan !== null}
            onClick={onSubscribe}
          >
            Subscribe Now
          </SubmitButton>
          {subscription.hasBilling && <PortalButton />}
        </div>
      </Section>
    );
  }
  return (
    <Section id="subscription" title="Subscription" trailing={badge}>
      <SubscriptionFacts subscription={subscription} />
      <div className="mt-5 border-t border-line pt-5">
        <h3 className="mb-1.5 text-sm text-ink-soft">Generations remaining</h3>
        {subscription.unlimited && subscription.canGenerate ? (
          <p className="text-lg font-semibold">Unlimited</p>
        ) : (
          <PlanMeter subscription={subscription} />
        )}
      </div>
      <PlanButtons {...props} />
    </Section>
  );
}

/** What a seller without a plan can do. */
function withoutPlan(subscription: SubscriptionView): string {
  const packs = packImagesLeft(subscription);
  const fromPacks = packs > 0 ? `${countText(packs, 'image')} from packs` : null;
  if (hasFreeImages(subscription)) {
    const and = fromPacks ? `, and ${fromPacks}` : '';
    return `You have ${freeImagesLeft(subscription)}${and}. Subscribe to generate more.`;
  }
  if (fromPacks) return `You have ${fromPacks}. Subscribe to generate more.`;
  const used = usedFreeImages(subscription);
  return used ? `${used}. Subscribe to generate more.` : 'Subscribe to generate images.';
}

function StatusBadge({ subscription }: { subscription: SubscriptionView }) {
  return (
    <span className={clsx('rounded-full px-3 py-1 text-sm font-semibold', badgeColors(subscription))}>
      {statusLabels[subscription.status]}
    </span>
  );
}

function badgeColors(subscription: SubscriptionView): string {
  if (subscription.canGenerate && subscription.status !== 'past_due') return 'bg-good-wash text-good';
  return isLive(subscription) ? 'bg-danger-wash text-danger' : 'bg-sunken text-ink-soft';
}

function SubscriptionFacts({ subscription }: { subscription: SubscriptionView }) {
  const dates = useDates();
  const { status, cancelAtPeriodEnd, nextPlan } = subscription;
  const isRenewed = (status === 'active' || status === 'trialing') && !cancelAtPeriodEnd && nextPlan === null;
  const { preview } = usePlanChangePreview(subscription.plan, subscription.revision, isRenewed);
  const next = preview ? nextPaymentText(preview) : null;
  const plan = plans[subscription.plan];
  const payment = paymentLabel(subscription);
  const facts: [label: string, value: string][] = [
    ['Current plan', `${plan.name}, ${formatPrice(plan.monthlyPriceCents)} a month`],
    ...upcomingDates(subscription, dates),
  ];
  if (next) facts.push(['Next payment', next]);
  if (payment) facts.push(['Paid with', payment]);
  return (
    <dl className="grid gap-4 min-[26rem]:grid-cols-2">
      {facts.map(([label, value]) => (
        <div key={label} className="grid content-start gap-0.5">
          <dt className="text-sm text-ink-soft">{label}</dt>
          <dd className="font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function PlanButtons({ subscription, pendingPlan, onChange, onKeep }: SubscriptionCardProps) {
  const { upgrade } = offeredPlan(subscription.plan);
  const changesAtPeriodEnd = subscription.cancelAtPeriodEnd || subscription.nextPlan !== null;
  return (
    <div className="mt-6 flex flex-wrap gap-2">
      {changesAtPeriodEnd && (
        <SubmitButton
          type="button"
          busy={pendingPlan === subscription.plan}
          busyLabel="One moment..."
          disabled={pendingPlan !== null}
          onClick={onKeep}
        >
          {subscription.cancelAtPeriodEnd ? 'Resume' : 'Keep'} {plans[subscription.plan].name}
        </SubmitButton>
      )}
      {subscription.nextPlan === null && (
        <Button
          variant={upgrade && !changesAtPeriodEnd ? 'primary' : 'secondary'}
          disabled={pendingPlan !== null}
          onClick={onChange}
        >
          {upgrade ? 'Upgrade Plan' : 'Downgrade Plan'}
        </Button>
      )}
      {subscription.hasBilling && <PortalButton />}
    </div>
  );
}

function PortalButton() {
  const portal = usePortal('Failed to manage subscription');
  return (
    <SubmitButton
      type="button"
      variant="secondary"
      busy={portal.busy}
      busyLabel="Opening..."
      onClick={portal.open}
    >
      Manage Billing
    </SubmitButton>
  );
}
