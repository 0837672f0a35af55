import { type CreditEntryView, plans } from '#contract';
import type { Dates } from '#web/lib/dates.ts';

const minus = '−';
const nameLength = 60;

/** A generation's name; descriptions stand in for it and may be long. */
function nameOf(entry: CreditEntryView): string {
  const name = entry.generation?.name.trim() ?? '';
  if (name === '') return 'An image';
  return name.length > nameLength ? `${name.slice(0, nameLength - 1).trimEnd()}…` : name;
}

/** One line of the ledger in words, with its signed count. */
export function ledgerEntryLabel(entry: CreditEntryView, dates: Dates): { count: string; text: string } {
  const { kind, period } = entry;
  const count = Math.abs(entry.count);
  const plan = period && plans[period.plan];
  switch (kind) {
    case 'grant': {
      const month = period ? `, ${dates.period(period.start, period.end)}` : '';
      const unlimited = plan?.monthlyGenerations === null;
      return {
        count: unlimited ? '∞' : `+${count}`,
        text: `${plan?.name ?? 'Images added'}${month}${unlimited ? ': unlimited' : ''}`,
      };
    }
    case 'settle': {
      const stopped = entry.generation?.state === 'cancelled';
      return {
        count: `${minus}${count}`,
        text: `${nameOf(entry)}${stopped ? ' was stopped after a preview' : ''}`,
      };
    }
    case 'release': {
      const cancelled = entry.generation?.state === 'cancelled';
      return {
        count: '0',
        text: `${nameOf(entry)} ${cancelled ? 'was cancelled' : 'failed'} and was not counted`,
      };
    }
    case 'forfeit':
      return { count: count === 0 ? '0' : `${minus}${count}`, text: 'Left over, the month was over' };
    case 'refund':
      return { count: `${minus}${count}`, text: 'Taken back, the payment was refunded or is disputed' };
    case 'reinstate':
      return { count: `+${count}`, text: 'Given back, the payment stands again' };
  }
}
