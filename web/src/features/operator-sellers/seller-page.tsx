import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import { isolateName, limits, type OperatorSellerAction, type OperatorSellerView } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { LedgerEntries } from '#web/ui/ledger-entries.tsx';
import { ListError, PagedListFooter } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Facts, Figures, OperatorHeading, ReasonDialog } from '#web/ui/operator.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { type AccessAction, AccessDialog } from './access-dialog.tsx';
import { actOnSeller, fetchSeller, listLedger, sellerKeys } from './api.ts';
import { BillingOrder } from './billing-order.tsx';
import { DailyLimit } from './daily-limit.tsx';
import { DataRequests } from './data-requests.tsx';
import { ImagesDialog } from './images-dialog.tsx';
import { PlanComparison } from './plan-comparison.tsx';
import { SellerNotes, SellerRefusals } from './refusals.tsx';

/** Actions that ask for nothing but a reason. */
type PlainAction = Exclude<OperatorSellerAction, 'disable' | 'enable' | 'stop-deletion'>;
type RequestedAction = PlainAction | AccessAction | 'give' | 'take';

const texts: Readonly<Record<PlainAction, { title: string; effect: string; done: string }>> = {
  'read-plan': {
    title: 'Apply what Stripe says',
    effect: 'Stripe is read again, and plan and balance follow from it, as after an event of Stripe.',
    done: 'What Stripe says was applied.',
  },
  'reset-unpaid-calls': {
    title: 'Reset unpaid calls',
    effect:
      'What was counted today no longer counts, for the seller and for a network that stopped the seller. For use when the image service was at fault.',
    done: 'The unpaid calls were reset.',
  },
  'mark-reachable': {
    title: 'Send mail again',
    effect: 'Mail is sent to the address again. If it comes back, this page says so again.',
    done: 'Mail is sent again.',
  },
  'ask-two-factor-removal': {
    title: 'Remove two-factor sign-in',
    effect: `For a seller who has shown who they are and cannot give a code any more: write down how. A mail tells the seller. Two-factor sign-in is removed in ${limits.factorRemovalHours} hours, unless somebody signs in with a code or uses the link in the mail.`,
    done: 'Two-factor sign-in will be removed.',
  },
  'stop-two-factor-removal': {
    title: 'Keep two-factor sign-in',
    effect: 'Two-factor sign-in will not be removed.',
    done: 'Two-factor sign-in stays on.',
  },
};

interface SellerPageProps {
  id: string;
  /** Links to other pages about the seller. */
  links: ReactNode;
  /** What operators did with the seller. */
  log: ReactNode;
}

/** One seller: account, balance, plan here and at Stripe, ledger, and what an operator can do. */
export function SellerPage({ id, links, log }: SellerPageProps) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: sellerKeys.one(id),
    queryFn: ({ signal }) => fetchSeller(id, signal),
  });
  const [requested, setRequested] = useState<RequestedAction | null>(null);
  if (error) return <ListError error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;

  const close = () => setRequested(null);
  const apply = (changed: OperatorSellerView, message: string) => {
    client.setQueryData<OperatorSellerView>(sellerKeys.one(id), changed);
    void client.invalidateQueries({ queryKey: sellerKeys.ledger(id) });
    void client.invalidateQueries({ queryKey: ['operator', 'actions'] });
    toast.success(message);
  };
  return (
    <>
      <OperatorHeading>{isolateName(data.user.email)}</OperatorHeading>
      <Account seller={data} links={links} onAsk={setRequested} />
      <Balance seller={data} onAsk={setRequested} />
      {data.today && <DailyLimit id={id} today={data.today} onDone={apply} />}
      <PlanComparison id={id} seller={data} onApply={() => setRequested('read-plan')} />
      <Ledger id={id} />
      <DataRequests id={id} seller={data} onDone={apply} />
      <SellerRefusals id={id} />
      <SellerNotes id={id} />
      {log}
      {(requested === 'give' || requested === 'take') && (
        <ImagesDialog
          id={id}
          action={requested}
          available={data.balance.available}
          onDone={apply}
          onClose={close}
        />
      )}
      {isAccessAction(requested) && (
        <AccessDialog id={id} seller={data} action={requested} onDone={apply} onClose={close} />
      )}
      {requested && requested in texts && (
        <PlainDialog id={id} action={requested as PlainAction} onDone={apply} onClose={close} />
      )}
    </>
  );
}

const isAccessAction = (action: RequestedAction | null): action is AccessAction =>
  action === 'disable' || action === 'enable' || action === 'end-billing';

interface PlainDialogProps {
  id: string;
  action: PlainAction;
  onDone: (seller: OperatorSellerView, message: string) => void;
  onClose: () => void;
}

function PlainDialog({ id, action, onDone, onClose }: PlainDialogProps) {
  const { title, effect, done } = texts[action];
  return (
    <ReasonDialog
      title={title}
      description={effect}
      submitLabel={title}
      run={(reason) => actOnSeller(id, action, { reason })}
      onDone={(changed) => onDone(changed, done)}
      onClose={onClose}
    />
  );
}

interface PartProps {
  seller: OperatorSellerView;
  onAsk: (action: RequestedAction) => void;
}

function Account({ seller, links, onAsk }: PartProps & { links: ReactNode }) {
  const dates = useDates();
  const { user, emailVerified, lastSignIn, disabledAt, deletionAskedAt } = seller;
  const { emailUnreachable } = user;
  const dueAt = seller.twoFactorRemovalDueAt ?? null;
  const removal = dueAt === null ? 'ask-two-factor-removal' : 'stop-two-factor-removal';
  const facts: readonly [name: string, value: ReactNode][] = [
    ['ID', user.id],
    ['Name', <Name key="name">{user.fullName}</Name>],
    ['Since', dates.day(user.memberSince)],
    ['Email', emailVerified ? 'confirmed' : 'not confirmed'],
    ['Last sign-in', lastSignIn === null ? 'never' : dates.dateTime(lastSignIn)],
    [
      'Two-factor sign-in',
      dueAt !== null
        ? `on, will be removed on ${dates.dateTime(dueAt)}`
        : user.twoFactorEnabled
          ? 'on'
          : 'off',
    ],
    ...(user.operator ? [['Role', 'operator'] as const satisfies [string, string]] : []),
  ];
  return (
    <Section
      id="account"
      title="Account"
      trailing={
        <div className="flex flex-wrap gap-2">
          {user.twoFactorEnabled && (
            <Button variant="secondary" onClick={() => onAsk(removal)}>
              {texts[removal].title}
            </Button>
          )}
          <Button variant="secondary" onClick={() => onAsk(disabledAt === null ? 'disable' : 'enable')}>
            {disabledAt === null ? 'Disable' : 'Enable'}
          </Button>
        </div>
      }
    >
      {(disabledAt !== null || deletionAskedAt !== null) && (
        <div className="mb-5 grid gap-2">
          {disabledAt !== null && <Notice tone="danger">Disabled since {dates.dateTime(disabledAt)}.</Notice>}
          {deletionAskedAt !== null && (
            <Notice tone="danger">
              The account is being deleted since {dates.dateTime(deletionAskedAt)}.
            </Notice>
          )}
        </div>
      )}
      <BillingOrder seller={seller} onEndBilling={() => onAsk('end-billing')} />
      {emailUnreachable && (
        <div className="mb-5 grid justify-items-start gap-3">
          <Notice tone="danger">
            {emailUnreachable.kind === 'bounce' ? 'Mail comes back' : 'Reported our mail as spam'}, since{' '}
            {dates.dateTime(emailUnreachable.since)}: <Name>{emailUnreachable.reason}</Name>
          </Notice>
          <Button variant="secondary" onClick={() => onAsk('mark-reachable')}>
            Send mail again
          </Button>
        </div>
      )}
      <Facts items={facts} />
      {links && <div className="mt-4 flex flex-wrap gap-4 text-[0.9375rem]">{links}</div>}
    </Section>
  );
}

function Balance({ seller: { balance, unpaidCalls }, onAsk }: PartProps) {
  const {
    granted,
    left,
    freeLeft,
    packLeft = 0,
    held,
    used,
    expired,
    refunded,
    added,
    removed,
    available,
  } = balance;
  return (
    <Section
      id="balance"
      title="Balance"
      lead="Images. What is left includes those on hold."
      trailing={
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={() => onAsk('give')}>
            Give images
          </Button>
          <Button variant="secondary" disabled={available === 0} onClick={() => onAsk('take')}>
            Take images
          </Button>
        </div>
      }
    >
      <Figures
        items={[
          { name: 'Plan images left', value: left },
          { name: 'Free images left', value: freeLeft },
          ...(packLeft > 0 ? [{ name: 'Images of packs left', value: packLeft }] : []),
          { name: 'On hold', value: held },
          { name: 'Used', value: used },
          { name: 'Expired', value: expired },
          { name: 'Refunded', value: refunded },
          { name: 'Given by operators', value: added },
          { name: 'Taken by operators', value: removed },
          { name: 'Granted in total', value: granted },
        ]}
      />
      <div className="mt-5 flex flex-wrap items-center justify-between gap-3">
        <p>
          Unpaid calls today: {unpaidCalls.used} of {unpaidCalls.allowed}
          {unpaidCalls.stoppedByNetwork && '. The seller’s network has used up its number.'}
        </p>
        {(unpaidCalls.used > 0 || unpaidCalls.stoppedByNetwork) && (
          <Button variant="secondary" onClick={() => onAsk('reset-unpaid-calls')}>
            Reset unpaid calls
          </Button>
        )}
      </div>
    </Section>
  );
}

function Ledger({ id }: { id: string }) {
  const list = useInfiniteQuery({
    queryKey: sellerKeys.ledger(id),
    queryFn: ({ pageParam, signal }) => listLedger(id, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Section id="ledger" title="Ledger" lead="As the seller reads it under Usage.">
      {list.isPending && <ListSkeleton />}
      {list.data && entries.length === 0 && <p className="text-ink-soft">Nothing yet.</p>}
      <LedgerEntries entries={entries} />
      <PagedListFooter list={list} />
    </Section>
  );
}
