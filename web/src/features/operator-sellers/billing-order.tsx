import { liveStatuses, type OperatorSellerView } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

interface BillingOrderProps {
  seller: OperatorSellerView;
  onEndBilling: () => void;
}

/** What was decided about the billing of an account that is disabled, and whether Stripe knows; else nothing. */
export function BillingOrder({ seller, onEndBilling }: BillingOrderProps) {
  const dates = useDates();
  const { disabledAt, billingOrder: order, plan } = seller;
  if (disabledAt === null && !order?.pending) return null;
  const renews = liveStatuses.includes(plan.status) && !plan.cancelAtPeriodEnd;
  const canEnd = disabledAt !== null && liveStatuses.includes(plan.status) && order?.kind !== 'end-now';
  return (
    <div className="mb-5 grid justify-items-start gap-3 empty:hidden">
      {order?.pending && (
        <Notice tone="danger">
          {pendingTexts[order.kind]} Stripe is still to be told, and is tried again until it answers.
          {order.problem !== null && ` The last attempt failed: ${order.problem}`}
        </Notice>
      )}
      {order && !order.pending && order.kind !== 'renew' && (
        <Notice tone="info">
          {order.endsAt === null
            ? 'Billing ended: there was no plan.'
            : Date.parse(order.endsAt) <= Date.now()
              ? `Billing ended on ${dates.dateTime(order.endsAt)}.`
              : `Billing ends on ${dates.dateTime(order.endsAt)}.`}
        </Notice>
      )}
      {disabledAt !== null && !order && renews && (
        <Notice tone="danger">The plan still renews, and the seller is charged.</Notice>
      )}
      {canEnd && (
        <Button variant="secondary" onClick={onEndBilling}>
          End billing
        </Button>
      )}
    </div>
  );
}

const pendingTexts = {
  'end-now': 'Billing ends at once.',
  'end-with-period': 'Billing ends with the period.',
  renew: 'The plan renews again.',
} as const satisfies Record<NonNullable<OperatorSellerView['billingOrder']>['kind'], string>;
