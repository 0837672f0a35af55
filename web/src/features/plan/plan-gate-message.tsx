import clsx from 'clsx';
import { Link } from 'react-router-dom';
import { type PlanId, pages, planIds, plans, type SubscriptionView } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { formatPrice } from '#web/lib/price.ts';
import { type ButtonVariant, buttonClass } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { usePortal } from './api.ts';
import { useSubscribe } from './change-plan.ts';
import { DailyLimitNote } from './daily-limit-note.tsx';
import { ImagePacksAtPaywall } from './image-packs.tsx';
import type { PlanGate } from './plan-gate.ts';
import { planGateLabels } from './plan-gate-labels.ts';

interface PlanGateMessageProps {
  /** `DAILY_LIMIT`: how many more images there are today. */
  gate: PlanGate | 'DAILY_LIMIT';
  subscription: SubscriptionView;
  /** Whether the plans and packs are left out where the window has no room for them: another way leads there. */
  isShort?: boolean;
  /** Whether something else is the next step, such as a download. */
  isQuiet?: boolean;
}

/** Explains in the studio why the plan allows no image, and offers the action that resolves it. */
export function PlanGateMessage(props: PlanGateMessageProps) {
  const { gate, subscription, isShort = false, isQuiet = false } = props;
  const dates = useDates();
  if (gate === 'DAILY_LIMIT') return <DailyLimitNote subscription={subscription} />;
  const { title, text, action } = planGateLabels(gate, subscription, dates);
  const variant = isQuiet ? 'secondary' : 'primary';
  return (
    <div role="status" className="grid items-center gap-x-6 gap-y-3 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div>
        <p className="font-semibold">{title}</p>
        <p className="mt-0.5 text-sm text-ink-soft">{text}</p>
      </div>
      {action === 'choose' && (
        <div className={isShort ? 'max-xl:hidden' : undefined}>
          <PlanChoice subscription={subscription} variant={variant} />
        </div>
      )}
      {action === 'subscribe' && <SubscribeButtons plan={subscription.plan} variant={variant} />}
      {action === 'upgrade' && (
        <Link to={`${pages.plan}#plans`} className={buttonClass(variant)}>
          Upgrade Plan
        </Link>
      )}
      {action === 'portal' && <PaymentMethodButton variant={variant} />}
      {action === 'contact' && (
        <Link to={`${pages.contact}?subject=billing`} className={buttonClass(variant)}>
          Contact us
        </Link>
      )}
      {sellsPacks(gate) && (
        <div className={clsx('lg:col-span-full', isShort && 'max-xl:hidden')}>
          <ImagePacksAtPaywall />
        </div>
      )}
    </div>
  );
}

/** Whoever owes a payment, or got one back, settles that first. */
const sellsPacks = (gate: PlanGate) => gate !== 'PAYMENT_OVERDUE' && gate !== 'PAYMENT_RETURNED';

function SubscribeButtons({ plan, variant }: { plan: PlanId; variant: ButtonVariant }) {
  const { selectPlan, pendingPlan, error } = useSubscribe({ returnTo: 'studio' });
  return (
    <div>
      <div className="flex flex-wrap gap-2">
        <SubmitButton
          type="button"
          variant={variant}
          className="flex-1"
          busy={pendingPlan !== null}
          busyLabel="One moment..."
          onClick={() => selectPlan({ plan })}
        >
          Subscribe Now
        </SubmitButton>
        <Link to={`${pages.plan}#plans`} className={buttonClass('secondary', 'flex-1')}>
          Compare plans
        </Link>
      </div>
      <FieldError id="subscribe-error">{error}</FieldError>
    </div>
  );
}

function PaymentMethodButton({ variant }: { variant: ButtonVariant }) {
  const portal = usePortal();
  return (
    <SubmitButton
      type="button"
      variant={variant}
      busy={portal.busy}
      busyLabel="Opening..."
      onClick={portal.open}
    >
      Update your payment method
    </SubmitButton>
  );
}

/** Every plan with its price and a button that opens its checkout. The plan chosen at sign-up is emphasised. */
function PlanChoice({ subscription, variant }: { subscription: SubscriptionView; variant: ButtonVariant }) {
  const { selectPlan, pendingPlan, error } = useSubscribe({ returnTo: 'studio' });
  return (
    <div>
      <ul className="grid gap-2 sm:grid-cols-2 lg:min-w-140">
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
                variant={chosen ? variant : 'secondary'}
                className="shrink-0"
                busy={pendingPlan === id}
                busyLabel="One moment..."
                disabled={pendingPlan !== null}
                aria-label={`Choose ${plan.name}`}
                onClick={() => selectPlan({ plan: id })}
              >
                Choose
              </SubmitButton>
            </li>
          );
        })}
      </ul>
      <FieldError id="subscribe-error">{error}</FieldError>
    </div>
  );
}
