import clsx from 'clsx';
import type { SubscriptionView } from '#contract';

/** The images left of the plan: `83 of 100 left` with a bar, or that they are unlimited. */
export function PlanMeter({
  subscription,
  className,
}: {
  subscription: SubscriptionView;
  className?: string;
}) {
  const { unlimited, generationsLeft, generationsHeld, totalGenerations, canGenerate, isActive } =
    subscription;
  const left = generationsLeft ?? 0;
  const total = Math.max(totalGenerations ?? 0, left);
  const held = generationsHeld > 0 ? `${generationsHeld} in progress` : '';
  if (!canGenerate) {
    const text = isActive ? 'Payment refunded or disputed' : 'No active subscription';
    return <p className={clsx('text-sm font-medium', className)}>{text}</p>;
  }
  if (unlimited) {
    return (
      <p className={clsx('flex justify-between gap-3 text-sm', className)}>
        <span className="font-medium">Unlimited images</span>
        <span className="text-ink-soft">{held}</span>
      </p>
    );
  }
  return (
    <div className={className}>
      <p className="flex justify-between gap-3 text-sm tabular-nums">
        <span className="font-medium">
          {left} of {total} left
        </span>
        <span className="text-ink-soft">{held}</span>
      </p>
      <meter
        className="sr-only"
        aria-label="Images left on your plan"
        aria-valuetext={`${left} of ${total} left`}
        min={0}
        max={total}
        value={left}
      />
      <div aria-hidden className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken">
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-500"
          style={{ width: `${total === 0 ? 0 : (100 * left) / total}%` }}
        />
      </div>
    </div>
  );
}
