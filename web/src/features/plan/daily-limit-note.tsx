import { useEffect, useState } from 'react';
import type { SubscriptionView } from '#contract';
import { serverNow } from '#web/lib/clock.ts';
import { leftToday } from '#web/lib/daily-limit.ts';
import { type Dates, useDates } from '#web/lib/dates.ts';

/** From so few images on the seller is told how many are left today; of a small limit, once a part of it is used. */
const toldFrom = 5;

/** How many more images the daily limit allows, once there are few. */
export function DailyLimitNote({ subscription }: { subscription: SubscriptionView }) {
  const dates = useDates();
  const [, setRounds] = useState(0);
  const { dailyLimit: limit } = subscription;
  const renewsInMs = limit ? Date.parse(limit.renewsAt) - serverNow() : 0;
  useEffect(() => {
    if (renewsInMs <= 0) return;
    const timer = setTimeout(() => setRounds((rounds) => rounds + 1), renewsInMs + 1_000);
    return () => clearTimeout(timer);
  }, [renewsInMs]);
  const left = leftToday(subscription);
  if (!limit || left === null || left > toldFrom) return null;
  return (
    <p role="status" className="text-sm text-ink-soft">
      <DailyLimitText left={left} limit={limit} dates={dates} />
    </p>
  );
}

interface TextProps {
  left: number;
  limit: NonNullable<SubscriptionView['dailyLimit']>;
  dates: Dates;
}

function DailyLimitText({ left, limit, dates }: TextProps) {
  const most = limit.images === 1 ? '1 image a day' : `${limit.images.toLocaleString('en')} images a day`;
  if (left > 0) {
    return (
      <>
        <span className="font-medium text-ink">
          {left === 1 ? '1 more image' : `${left} more images`} today
        </span>
        . Your limit is {most}.
      </>
    );
  }
  return (
    <>
      <span className="font-medium text-ink">No more images today</span>. Your limit is {most}. You can create
      images again on <time dateTime={limit.renewsAt}>{dates.shortDateTime(limit.renewsAt)}</time>.
    </>
  );
}
