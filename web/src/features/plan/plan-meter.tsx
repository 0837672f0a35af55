import type { SubscriptionView } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { ownBalanceText } from './balance-text.ts';
import { countFreeImages, hasFreeImages, usedFreeImages } from './free-images.ts';
import { packImagesLeft } from './packs.ts';

interface PlanMeterProps {
  subscription: SubscriptionView;
  className?: string;
}

/**
 * The images left: of the plan, `83 of 100 left` with a bar, or that they are unlimited; without a plan that allows
 * images, the free ones, `3 of 3 free images left`. Below it, what is used after them.
 */
export function PlanMeter({ subscription, className }: PlanMeterProps) {
  return (
    <div className={className}>
      <FirstImages subscription={subscription} />
      <LaterImages subscription={subscription} />
    </div>
  );
}

const laterClass = 'mt-1.5 text-sm text-ink-soft';

/** Free images beside a plan, and those of packs. */
function LaterImages({ subscription }: { subscription: SubscriptionView }) {
  const { canGenerate, freeImages, packImages } = subscription;
  const packs = packImagesLeft(subscription);
  const isFirst = isPacksFirst(subscription);
  return (
    <>
      {canGenerate && freeImages.left > 0 && (
        <p className={laterClass}>
          Plus {countFreeImages(freeImages.left)}, used when your plan has none left
        </p>
      )}
      {packs > 0 && !isFirst && (
        <p className={laterClass}>
          Plus {countText(packs, 'image')} from packs, used last. They don't expire
        </p>
      )}
      {packImages !== undefined && packImages.arriving > 0 && (
        <p className={laterClass}>
          {countText(packImages.arriving, 'image')} from a pack will arrive when your payment is confirmed
        </p>
      )}
    </>
  );
}

/** Whether there is nothing to use before images of packs. */
function isPacksFirst(subscription: SubscriptionView): boolean {
  return !subscription.canGenerate && !hasFreeImages(subscription) && packImagesLeft(subscription) > 0;
}

function FirstImages({ subscription }: { subscription: SubscriptionView }) {
  const { unlimited, generationsLeft, generationsHeld, totalGenerations, canGenerate } = subscription;
  const inProgress = generationsHeld > 0 ? `${generationsHeld} in progress` : '';
  const { freeImages } = subscription;
  if (isPacksFirst(subscription)) {
    return (
      <p className="flex justify-between gap-3 text-sm tabular-nums">
        <span className="font-medium">{countText(packImagesLeft(subscription), 'image')} from packs</span>
        <span className="text-ink-soft">{inProgress}</span>
      </p>
    );
  }
  if (!canGenerate) {
    if (!hasFreeImages(subscription) && usedFreeImages(subscription) === null) {
      return <p className="text-sm font-medium">{ownBalanceText(subscription)}</p>;
    }
    return (
      <Meter
        label="Free images left"
        text={ownBalanceText(subscription)}
        left={freeImages.left}
        total={freeImages.granted}
        inProgress={inProgress}
      />
    );
  }
  if (unlimited) {
    return (
      <p className="flex justify-between gap-3 text-sm">
        <span className="font-medium">Unlimited images</span>
        <span className="text-ink-soft">{inProgress}</span>
      </p>
    );
  }
  const left = generationsLeft ?? 0;
  return (
    <Meter
      label="Images left on your plan"
      text={ownBalanceText(subscription)}
      left={left}
      total={Math.max(totalGenerations ?? 0, left)}
      inProgress={inProgress}
    />
  );
}

interface MeterProps {
  /** For screen readers. */
  label: string;
  text: string;
  left: number;
  total: number;
  inProgress: string;
}

function Meter({ label, text, left, total, inProgress }: MeterProps) {
  return (
    <div>
      <p className="flex justify-between gap-3 text-sm tabular-nums">
        <span className="font-medium">{text}</span>
        <span className="text-ink-soft">{inProgress}</span>
      </p>
      <meter className="sr-only" aria-label={label} aria-valuetext={text} min={0} max={total} value={left} />
      <div aria-hidden className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken">
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-500 forced-colors:bg-[Highlight] forced-colors:forced-color-adjust-none"
          style={{ width: `${total === 0 ? 0 : (100 * left) / total}%` }}
        />
      </div>
    </div>
  );
}
