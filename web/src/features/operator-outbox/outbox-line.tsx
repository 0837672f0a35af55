import type { Dates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';

/** How often the lists are read again, in ms. */
export const outboxRefetchMs = 10_000;

interface OutboxLineProps {
  title: string;
  /** What exactly. */
  details?: string;
  facts: readonly string[];
  /** Why the last try failed; null where that is not known. */
  failure: string | null;
  /** What an operator can do; null for nothing. */
  action: { name: string; run: () => void } | null;
}

/** Something that was not delivered or handled. */
export function OutboxLine({ title, details, facts, failure, action }: OutboxLineProps) {
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

/** How often something was tried, and when it is tried next. @param nextTryAt null if it was given up */
export function triesText(tries: number, nextTryAt: string | null, dates: Dates): string {
  const next = nextTryAt === null ? 'given up' : `next try on ${dates.dateTime(nextTryAt)}`;
  return `${tries === 1 ? '1 try' : `${tries} tries`}, ${next}`;
}
