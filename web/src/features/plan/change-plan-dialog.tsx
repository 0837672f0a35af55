import type { PlanId, SubscriptionView } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { planChangeLabels } from './subscription-labels.ts';

interface ChangePlanDialogProps {
  subscription: SubscriptionView;
  /** The new plan; null closes the dialog. */
  plan: PlanId | null;
  busy: boolean;
  /** Why the change failed. */
  error: string | null;
  onConfirm: (plan: PlanId) => void;
  onClose: () => void;
}

/** Explains what a change of plan does and when, and asks for confirmation. */
export function ChangePlanDialog(props: ChangePlanDialogProps) {
  const { subscription, plan, busy, error, onConfirm, onClose } = props;
  const dates = useDates();
  if (plan === null) return null;
  const { title, points, confirm } = planChangeLabels(subscription, plan, dates);
  return (
    <Dialog
      open
      onClose={() => !busy && onClose()}
      title={title}
      description={
        <ul className="ml-5 grid list-disc gap-1.5">
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      }
    >
      {error && <Notice tone="danger">{error}</Notice>}
      <DialogButtons>
        <Button variant="secondary" disabled={busy} onClick={onClose}>
          Not now
        </Button>
        <SubmitButton type="button" busy={busy} busyLabel="Changing..." onClick={() => onConfirm(plan)}>
          {confirm}
        </SubmitButton>
      </DialogButtons>
    </Dialog>
  );
}
