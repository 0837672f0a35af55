import { CircleAlert } from 'lucide-react';
import type { SubscriptionView } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { usePortal } from './api.ts';
import { countFreeImages } from './free-images.ts';

/** Shown on every page while a payment is overdue: how long the plan stays active, and the way to pay. */
export function OverdueBanner({ subscription }: { subscription: SubscriptionView }) {
  const dates = useDates();
  const portal = usePortal();
  const { status, canGenerate, graceUntil, freeImages } = subscription;
  if (status !== 'past_due' && status !== 'unpaid') return null;
  const consequence =
    canGenerate && graceUntil
      ? `Your plan is active until ${dates.day(graceUntil)}.`
      : freeImages.left > 0
        ? `Until it is paid, you have ${countFreeImages(freeImages.left)}.`
        : 'You cannot generate images until it is paid.';
  return (
    <aside aria-label="Payment overdue" className="border-b border-line bg-danger-wash text-danger">
      <div className="mx-auto flex max-w-[100rem] flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-[0.9375rem] sm:px-6">
        <CircleAlert aria-hidden className="size-4.5 shrink-0 max-sm:hidden" />
        <p className="min-w-0 flex-[1_1_16rem]">
          <strong className="font-semibold">Your last payment failed.</strong> {consequence}
        </p>
        <button
          type="button"
          disabled={portal.busy}
          onClick={portal.open}
          className="inline-flex min-h-11 items-center font-semibold underline underline-offset-3"
        >
          {portal.busy ? 'Opening...' : 'Update your payment method'}
        </button>
      </div>
    </aside>
  );
}
