import clsx from 'clsx';
import { CircleCheck, CircleX, Wrench } from 'lucide-react';
import type { ExportCheck, FilePreset } from '#contract';

const outcomes = {
  pass: { label: 'Pass', Icon: CircleCheck, className: 'text-good' },
  fixed: { label: 'Fixed by us', Icon: Wrench, className: 'text-good' },
  fails: { label: 'Fails', Icon: CircleX, className: 'text-danger' },
} as const;

/** How a file obeys the rules of its preset; what can be done about those that fail. */
export function Findings({ check: { rules } }: { check: ExportCheck }) {
  return (
    <ul aria-label="Rules" className="grid gap-1 text-sm">
      {rules.map(({ name, outcome, measured, needed, confirmed, advised, advice }) => {
        const { label, Icon, className } = outcomes[outcome];
        return (
          <li
            key={name + needed}
            className={clsx(
              'flex items-start gap-2 rounded-field px-2.5 py-2',
              outcome === 'fails' && 'bg-danger-wash forced-colors:border',
            )}
          >
            <Icon aria-hidden className={clsx('mt-0.5 size-4 shrink-0', className)} />
            <span className="min-w-0">
              <strong className="font-semibold">{name}:</strong> {measured}.{' '}
              <span className="text-ink-soft">
                {basisOf(confirmed, advised)} {needed}.
              </span>{' '}
              <span className={clsx('font-semibold', className)}>{label}</span>
              {advice && <span className="mt-1 block">{advice}</span>}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Who says so. */
function basisOf(confirmed: boolean, advised: boolean): string {
  if (!confirmed) return 'Commonly recommended:';
  return advised ? 'The marketplace recommends' : 'Needs';
}

/** What a seller has to look at, and where the rules come from. */
export function PresetNotes({ preset: { source, origin, date, toCheck } }: { preset: FilePreset }) {
  return (
    <>
      {toCheck && <p className="text-sm text-ink-soft">Please check yourself: {toCheck}</p>}
      {(source || origin) && (
        <p className="text-sm break-words text-ink-soft">
          {source && (
            <>
              <a href={source} target="_blank" rel="noreferrer" className="underline">
                The marketplace's own page
              </a>
              .{' '}
            </>
          )}
          {origin && `What is commonly recommended comes from ${origin}. `}Looked up on{' '}
          <span className="whitespace-nowrap">{date}</span>.
        </p>
      )}
    </>
  );
}
