import clsx from 'clsx';
import type { CreditEntryView } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { ledgerEntryLabel } from './ledger-labels.ts';

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
  const adds = ['grant', 'reinstate', 'support-added'].includes(entry.kind);
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
