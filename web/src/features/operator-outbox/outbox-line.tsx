import type { Dates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';

/** What the line of something that was not delivered or handled says. */
export interface OutboxEntry {
  title: string;
  /** What exactly. */
  details?: string;
  facts: readonly string[];
  /** Why the last try failed; null where that is not known. */
  failure: string | null;
}

interface OutboxLineProps {
  entry: OutboxEntry;
  /** What an operator can do; null for nothing. */
  action: { name: string; run: () => void } | null;
}

export function OutboxLine({ entry: { title, details, facts, failure }, action }: OutboxLineProps) {
  return (
    <li className="grid gap-2 py-3 text-[0.9375rem] sm:flex sm:items-center sm:justify-between sm:gap-4">
      <div className="min-w-0">
        <p className="font-semibold break-words">{title}</p>
        {details !== undefined && <p className="text-sm [overflow-wrap:anywhere]">{details}</p>}
        <p className="text-sm break-words text-ink-soft">{facts.join(' · ')}</p>
        {failure !== null && <p className="text-sm break-words text-danger">{failure}</p>}
      </div>
      {action && (
        <Button variant="secondary" className="shrink-0 justify-self-start" onClick={action.run}>
          {action.name}
        </Button>
      )}
    </li>
  );
}

/**
 * How often something was tried, and when it is tried next.
 * @param otherwise the end of the text where there is no next try
 */
export function triesText(tries: number, nextTryAt: string | null, otherwise: string, dates: Dates): string {
  const next = nextTryAt === null ? otherwise : `, next try on ${dates.dateTime(nextTryAt)}`;
  return `${tries === 1 ? '1 try' : `${tries} tries`}${next}`;
}
