import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { isolateName, type OperatorActionKind, type OperatorActionView, pages } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { PagedListFooter } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { OperatorHeading } from '#web/ui/operator.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { listActions } from './api.ts';

/** The audit log. */
export function LogPage() {
  return (
    <>
      <OperatorHeading>Audit log</OperatorHeading>
      <ActionList />
    </>
  );
}

interface ActionListProps {
  /** The id of a thing: only what was done with it. */
  target?: string;
}

/** What operators did, newest first. */
export function ActionList({ target }: ActionListProps) {
  const list = useInfiniteQuery({
    queryKey: ['operator', 'actions', target ?? null],
    queryFn: ({ pageParam, signal }) => listActions({ target, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
  });
  const actions = list.data?.pages.flatMap((page) => page.actions) ?? [];
  return (
    <Section
      id="actions"
      title="What operators did"
      lead="Refused and failed actions too. Lines stay; only the email of a deleted account is taken out."
    >
      {list.isPending && <ListSkeleton />}
      {list.data && actions.length === 0 && <p className="text-ink-soft">Nothing yet.</p>}
      <ul className="divide-y divide-line">
        {actions.map((action) => (
          <ActionLine key={action.id} action={action} />
        ))}
      </ul>
      <PagedListFooter list={list} />
    </Section>
  );
}

function ActionLine({ action }: { action: OperatorActionView }) {
  const dates = useDates();
  const { at, operator, target, reason, details, problem } = action;
  const outcome = outcomeLabel(action);
  return (
    <li className="grid gap-1 py-3 text-[0.9375rem]">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{actionLabel(action)}</span>
        <time dateTime={at} className="text-sm text-ink-soft">
          {dates.dateTime(at)}
        </time>
      </div>
      <p className="text-sm break-words text-ink-soft">
        <Name>{operator}</Name> · <Target target={target} />
      </p>
      {details !== '' && <p className="break-words">{details}</p>}
      {reason !== '' && (
        <p className="break-words">
          “<Name>{reason}</Name>”
        </p>
      )}
      {outcome && (
        <p className="text-sm break-words text-danger">
          {outcome}
          {problem !== null && `: ${problem}`}
        </p>
      )}
    </li>
  );
}

/** The pages of what has one. */
const targetPages: Partial<Record<OperatorActionView['target']['kind'], string>> = {
  seller: `${pages.operator}/sellers`,
  generation: `${pages.operator}/generations`,
};
/** What there is only one of. */
const single: ReadonlySet<OperatorActionView['target']['kind']> = new Set(['queue', 'provider', 'banner']);

/** What an action was on. */
function Target({ target: { kind, id } }: Pick<OperatorActionView, 'target'>) {
  const page = targetPages[kind];
  const name = kind.replace('-', ' ');
  if (single.has(kind)) return name;
  // A command was given an address without an account.
  if (page === undefined || id.includes('@')) return `${name} ${isolateName(id)}`;
  return (
    <>
      {name}{' '}
      <Link to={`${page}/${id}`} className="underline underline-offset-2">
        {id}
      </Link>
    </>
  );
}

const labels: Readonly<Record<OperatorActionKind, string>> = {
  'grant-role': 'Grant the operator role',
  'revoke-role': 'Revoke the operator role',
  'show-photos': 'Show the photos',
  'retry-generation': 'Make the image again',
  'cancel-generation': 'Cancel the image',
  'release-generation': 'Release the image',
  'give-images': 'Give images',
  'take-images': 'Take images',
  'disable-account': 'Disable the account',
  'enable-account': 'Enable the account',
  'read-plan': 'Apply what Stripe says',
  'reset-unpaid-calls': 'Reset unpaid calls',
  'pause-queue': 'Pause the queue',
  'resume-queue': 'Resume the queue',
  'drain-queue': 'Drain the queue',
  'retry-failed-jobs': 'Run failed jobs again',
  'try-provider': 'Try the provider again',
  'send-mail-again': 'Send the mail again',
  'handle-event-again': 'Handle the event again',
  'call-webhook-again': 'Call the webhook again',
  'set-banner': 'Show a banner',
  'remove-banner': 'Remove the banner',
  'ask-two-factor-removal': 'Ask to remove two-factor sign-in',
  'stop-two-factor-removal': 'Keep two-factor sign-in',
  'remove-two-factor': 'Remove two-factor sign-in',
  'export-data': 'Export the data',
  'plan-deletion': 'Plan the deletion of the account',
  'stop-deletion': 'Keep the account',
  'delete-account': 'Delete the account',
  'set-daily-limit': 'Set the daily limit',
  'add-note': 'Add a note',
};

/** What an operator did or tried: how it ended is said beside it. */
function actionLabel({ action, newerAction }: Pick<OperatorActionView, 'action' | 'newerAction'>): string {
  return labels[newerAction ?? action];
}

/** How an action ended if it was not done; null if it was. */
function outcomeLabel({ outcome }: Pick<OperatorActionView, 'outcome'>): string | null {
  if (outcome === 'done') return null;
  if (outcome === 'refused') return 'Refused';
  return outcome === 'failed' ? 'Failed' : 'Under way, or interrupted';
}
