import type { Agreement, PlanId, SubscriptionView } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { usePlanChangePreview } from './change-plan.ts';
import { planChangeLabels } from './plan-change-labels.ts';

interface ChangePlanDialogProps {
  subscription: SubscriptionView;
  /** The new plan. */
  plan: PlanId;
  busy: boolean;
  /** Why the change failed. */
  error: string | null;
  onConfirm: (selection: { plan: PlanId; agreed: Agreement | undefined }) => void;
  onClose: () => void;
}

/** Says what a change of plan costs, what it does and when, and asks for confirmation. */
export function ChangePlanDialog(props: ChangePlanDialogProps) {
  const { subscription, plan, busy, error, onConfirm, onClose } = props;
  const dates = useDates();
  const { preview, isLoading } = usePlanChangePreview(plan, subscription.revision);
  const { title, amounts, points, warning, confirm, agreed } = planChangeLabels(
    subscription,
    plan,
    dates,
    preview,
  );
  return (
    <Dialog open onClose={() => !busy && onClose()} title={title}>
      <div className="grid gap-4" aria-busy={isLoading}>
        {error !== null && !busy && <Notice tone="danger">{error}</Notice>}
        {isLoading ? (
          <p role="status" className="flex items-center gap-3 text-ink-soft">
            <Spinner /> Getting the exact amount…
          </p>
        ) : (
          <Amounts amounts={amounts} />
        )}
        {!isLoading && warning && <Notice tone="info">{warning}</Notice>}
        <ul className="ml-5 grid list-disc gap-1.5 text-ink-soft">
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </div>
      <DialogButtons>
        <Button variant="secondary" disabled={busy} onClick={onClose}>
          Not now
        </Button>
        <SubmitButton
          type="button"
          busy={busy}
          busyLabel="Changing..."
          disabled={isLoading}
          onClick={() => onConfirm({ plan, agreed })}
        >
          {confirm}
        </SubmitButton>
      </DialogButtons>
    </Dialog>
  );
}

/** What is charged now: the last row is the sum. */
function Amounts({ amounts }: { amounts: [label: string, amount: string][] }) {
  if (amounts.length === 0) return null;
  return (
    <dl className="grid gap-1.5">
      {amounts.map(([label, amount]) => (
        <div
          key={label}
          className="flex items-baseline justify-between gap-4 last:mt-1 last:border-t last:border-line last:pt-2.5 last:text-lg last:font-semibold"
        >
          <dt>{label}</dt>
          <dd className="shrink-0 tabular-nums">{amount}</dd>
        </div>
      ))}
    </dl>
  );
}
