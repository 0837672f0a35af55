import clsx from 'clsx';
import { type CreditEntryView, cutText, isolateName, plans } from '#contract';
import { type Dates, useDates } from '#web/lib/dates.ts';

/** Entries of a seller's ledger. */
export function LedgerEntries({ entries }: { entries: readonly CreditEntryView[] }) {
  return (
    <ul className="divide-y divide-line">
      {entries.map((entry) => (
        <LedgerEntry key={entry.id} entry={entry} />
      ))}
    </ul>
  );
}

function LedgerEntry({ entry }: { entry: CreditEntryView }) {
  const dates = useDates();
  const { count, text } = ledgerEntryLabel(entry, dates);
  const adds = ['grant', 'pack', 'reinstate', 'support-added'].includes(entry.kind);
  return (
    <li className="flex items-baseline gap-4 py-2.5 text-[0.9375rem]">
      <span
        className={clsx(
          'w-12 shrink-0 text-right font-semibold tabular-nums',
          adds && 'text-good',
          !adds && count === '0' && 'text-ink-soft',
        )}
      >
        {count}
      </span>
      <span className="min-w-0 flex-1">
        {text}
        <time
          dateTime={entry.at}
          className="block text-sm whitespace-nowrap text-ink-soft sm:float-right sm:ml-4 sm:inline"
        >
          {dates.shortDateTime(entry.at)}
        </time>
      </span>
    </li>
  );
}

const minus = '−';
const maxNameLength = 60;

/** The generation's name, shortened: without a product name it is the scene description. */
function nameOf(entry: CreditEntryView): string {
  const name = entry.generation?.name.trim() ?? '';
  if (name === '') return 'An image';
  return isolateName(name.length > maxNameLength ? `${cutText(name, maxNameLength - 1).trimEnd()}…` : name);
}

/** The text and the signed count of a ledger entry. */
export function ledgerEntryLabel(entry: CreditEntryView, dates: Dates): { count: string; text: string } {
  const { kind, period } = entry;
  const count = Math.abs(entry.count);
  const plan = period && plans[period.plan];
  switch (kind) {
    case 'grant': {
      const month = period ? `, ${dates.period(period.start, period.end)}` : '';
      const unlimited = plan?.monthlyGenerations === null;
      if (entry.free) return { count: `+${count}`, text: 'Free images added' };
      return {
        count: unlimited ? '∞' : `+${count}`,
        text: `${plan?.name ?? 'Images added'}${month}${unlimited ? ': unlimited' : ''}`,
      };
    }
    case 'pack':
      return { count: `+${count}`, text: 'Image pack' };
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
        text: `${nameOf(entry)} ${cancelled ? 'was cancelled' : 'failed'}, no image used`,
      };
    }
    case 'remake':
      return { count: '0', text: `${nameOf(entry)} was made again at no charge` };
    case 'forfeit':
      return { count: count === 0 ? '0' : `${minus}${count}`, text: 'Unused images expired' };
    case 'refund':
      if (count === 0) {
        return { count: '0', text: 'A payment was refunded or disputed: its images were already used' };
      }
      return { count: `${minus}${count}`, text: 'Removed: the payment was refunded or disputed' };
    case 'reinstate':
      return { count: `+${count}`, text: 'Restored: the refund or dispute was reversed' };
    case 'support-added':
      return { count: `+${count}`, text: 'Images added by our support' };
    case 'support-removed':
      return { count: `${minus}${count}`, text: 'Images removed by our support' };
  }
}
