import clsx from 'clsx';
import type { SubscriptionView } from '#contract';
import { balanceText } from './balance-text.ts';
import { countFreeImages, hasFreeImages, usedFreeImages } from './free-images.ts';

interface PlanMeterProps {
  subscription: SubscriptionView;
  className?: string;
}

/**
 * The images left: of the plan, `83 of 100 left` with a bar, or that they are unlimited; without a plan that allows
 * images, the free ones, `3 of 3 free images left`.
 */
export function PlanMeter({ subscription, className }: PlanMeterProps) {
  const { unlimited, generationsLeft, generationsHeld, totalGenerations, canGenerate } = subscription;
  const inProgress = generationsHeld > 0 ? `${generationsHeld} in progress` : '';
  const { freeImages } = subscription;
  if (!canGenerate) {
    if (!hasFreeImages(subscription) && usedFreeImages(subscription) === null) {
      return <p className={clsx('text-sm font-medium', className)}>{balanceText(subscription)}</p>;
    }
    return (
      <Meter
        label="Free images left"
        text={balanceText(subscription)}
        left={freeImages.left}
        total={freeImages.granted}
        inProgress={inProgress}
        className={className}
      />
    );
  }
  const left = generationsLeft ?? 0;
  const total = Math.max(totalGenerations ?? 0, left);
  return (
    <div className={className}>
      {unlimited ? (
        <p className="flex justify-between gap-3 text-sm">
          <span className="font-medium">Unlimited images</span>
          <span className="text-ink-soft">{inProgress}</span>
        </p>
      ) : (
        <Meter
          label="Images left on your plan"
          text={balanceText(subscription)}
          left={left}
          total={total}
          inProgress={inProgress}
        />
      )}
      {freeImages.left > 0 && (
        <p className="mt-1.5 text-sm text-ink-soft">
          Plus {countFreeImages(freeImages.left)}, used when your plan has none left
        </p>
      )}
    </div>
  );
}

interface MeterProps {
  /** For screen readers. */
  label: string;
  text: string;
  left: number;
  total: number;
  inProgress: string;
  className?: string | undefined;
}

function Meter({ label, text, left, total, inProgress, className }: MeterProps) {
  return (
    <div className={className}>
      <p className="flex justify-between gap-3 text-sm tabular-nums">
        <span className="font-medium">{text}</span>
        <span className="text-ink-soft">{inProgress}</span>
      </p>
      <meter className="sr-only" aria-label={label} aria-valuetext={text} min={0} max={total} value={left} />
      <div aria-hidden className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken">
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-500"
          style={{ width: `${total === 0 ? 0 : (100 * left) / total}%` }}
        />
      </div>
    </div>
  );
}
