import { dollarsText } from '#contract';
import { type CostDayRow, findCostDays } from '#shared/data/costs/provider-costs.ts';
import type { Db } from '#shared/data/db.ts';
import { dayMs, dayOf } from '#shared/platform/days.ts';

/** What the calls to the image provider cost, as alerts are judged by it. */
export interface Spending {
  /** The days of the last week and today, in order. */
  days: readonly CostDayRow[];
  /** What a day may cost, in micro-dollars; null for no cap. */
  cap: number | null;
}

/** Reads what calls cost today and in the week before: documents by their id. @param cap in micro-dollars */
export async function readSpending(db: Db, cap: number | null, now: Date): Promise<Spending> {
  const days = Array.from({ length: 8 }, (_, before) => dayOf(new Date(now.getTime() - before * dayMs)));
  return { days: await findCostDays(db, days), cap };
}

/** The day that is now; undefined without calls. */
export const todayOf = ({ days }: Spending, now: Date): CostDayRow | undefined =>
  days.find(({ _id }) => _id === dayOf(now));

/** From this part of the cap on, its end is near. */
const nearPart = 0.8;

/** An hour is unusual if it costs so many times as much as the usual one, and at least so much, in micro-dollars. */
const unusual = { factor: 4, least: 2_000_000 };

/** Of fewer hours than this nobody knows what is usual. */
const fewestHours = 24;

const hourMs = 3_600_000;

interface SpendingConditions {
  'cost-cap-near'?: string;
  'cost-cap-reached'?: string;
  'cost-unusual'?: string;
}

/** Judges which alerts there should be about what images cost. */
export function spendingConditions(spending: Spending, now: Date): SpendingConditions {
  const { days, cap } = spending;
  const today = todayOf(spending, now);
  const total = today?.total ?? 0;
  const holds: SpendingConditions = {};
  if (cap !== null && today?.stopped_at) {
    holds['cost-cap-reached'] =
      `Since ${today.stopped_at.toISOString()} images wait for midnight UTC: the calls of today cost ${dollarsText(total)} of ${dollarsText(cap)}, and the next one would pass that.`;
  } else if (cap !== null && total >= cap * nearPart) {
    holds['cost-cap-near'] =
      `The calls of today cost ${dollarsText(total)} of ${dollarsText(cap)}. At the cap, images wait until midnight UTC.`;
  }
  const hour = unusualHour(days, now);
  if (hour !== undefined) holds['cost-unusual'] = hour;
  return holds;
}

/** What hours cost, in micro-dollars. */
interface HourSpending {
  /** This hour or the one before, whichever cost more. */
  recent: number;
  /** The mean of the earlier ones of the week in which there were calls; 0 while too few are known. */
  usual: number;
}

/** Sums up hours. @param days of the last week and today */
export function hourSpending(days: readonly CostDayRow[], now: Date): HourSpending {
  const current = Math.floor(now.getTime() / hourMs);
  const hours = days.flatMap(({ at, hours = {} }) =>
    Object.entries(hours).map(([hour, amount]) => ({
      hour: Math.floor(at.getTime() / hourMs) + Number(hour),
      amount,
    })),
  );
  const earlier = hours.filter(({ hour, amount }) => hour < current - 1 && amount > 0);
  const sum = earlier.reduce((total, { amount }) => total + amount, 0);
  return {
    recent: Math.max(0, ...hours.filter(({ hour }) => hour >= current - 1).map(({ amount }) => amount)),
    usual: earlier.length < fewestHours ? 0 : Math.ceil(sum / earlier.length),
  };
}

function unusualHour(days: readonly CostDayRow[], now: Date): string | undefined {
  const { recent, usual } = hourSpending(days, now);
  if (usual === 0 || recent < unusual.least || recent < usual * unusual.factor) return undefined;
  return `An hour of calls cost ${dollarsText(recent)}. The mean of the last week's hours is ${dollarsText(usual)}.`;
}
