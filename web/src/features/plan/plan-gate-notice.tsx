import { Link } from 'react-router-dom';
import type { SubscriptionView } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { type PlanGate, planGateLabels } from './plan-gate.ts';
import { usePortal } from './use-portal.ts';
import { useSubscribe } from './use-subscribe.ts';

/** Says in the studio what stops a seller, and offers the way on. */
export function PlanGateNotice({ stop, subscription }: { stop: PlanGate; subscription: SubscriptionView }) {
  const dates = useDates();
  const { choose, choosing, problem } = useSubscribe();
  const portal = usePortal();
  const { title, text, action } = planGateLabels(stop, subscription, dates);
  return (
    <div role="status" className="grid gap-3">
      <div>
        <p className="font-semibold">{title}</p>
        <p className="mt-0.5 text-sm text-ink-soft">{text}</p>
      </div>
      {action === 'subscribe' && (
        <div className="flex flex-wrap gap-2">
          <SubmitButton
            type="button"
            className="flex-1"
            busy={choosing !== null}
            busyLabel="One moment..."
            onClick={() => choose(subscription.plan)}
          >
            Subscribe Now
          </SubmitButton>
          <Link to="/profile#plans" className={buttonClass('secondary', 'flex-1')}>
            Compare plans
          </Link>
        </div>
      )}
      <FieldError id="subscribe-error">{problem}</FieldError>
      {action === 'upgrade' && (
        <Link to="/profile#plans" className={buttonClass('primary')}>
          Upgrade Plan
        </Link>
      )}
      {action === 'portal' && (
        <SubmitButton type="button" busy={portal.busy} busyLabel="Opening..." onClick={portal.open}>
          Update your payment method
        </SubmitButton>
      )}
    </div>
  );
}
