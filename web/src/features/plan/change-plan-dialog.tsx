import type { PlanId, SubscriptionView } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { changeLabel } from './subscription-labels.ts';

interface ChangePlanDialogProps {
  subscription: SubscriptionView;
  /** The plan to go to; null closes the dialog. */
  to: PlanId | null;
  busy: boolean;
  problem: string | null;
  onConfirm: (plan: PlanId) => void;
  onClose: () => void;
}

/** Says what a change of the plan does and when, and asks. */
export function ChangePlanDialog({
  subscription,
  to,
  busy,
  problem,
  onConfirm,
  onClose,
}: ChangePlanDialogProps) {
  const dates = useDates();
  if (to === null) return null;
  const { title, points, confirm } = changeLabel(subscription, to, dates);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={title}
      description={
        <ul className="ml-5 grid list-disc gap-1.5">
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      }
    >
      {problem && <Notice tone="danger">{problem}</Notice>}
      <DialogButtons>
        <Button look="secondary" disabled={busy} onClick={onClose}>
          Not now
        </Button>
        <SubmitButton type="button" busy={busy} busyLabel="Changing..." onClick={() => onConfirm(to)}>
          {confirm}
        </SubmitButton>
      </DialogButtons>
    </Dialog>
  );
}
