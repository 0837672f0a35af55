import { useEffect, useEffectEvent, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { type PlanId, pages, planIds, plans, type SubscriptionView } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useRefreshSubscription } from './api.ts';

/** How often the subscription is refreshed while a payment is awaited: below the limit of ten a minute. */
const pollIntervalMs = 8_000;
/** Polling ends after this number, and the seller is told that the payment takes longer. */
const maxPolls = 6;

/** `changed`: an upgrade was paid at Stripe. `added`: a payment method was, and the plan is as before. */
type CheckoutResult = 'success' | 'cancelled' | 'added' | { changed: PlanId } | { pack: BoughtPack } | null;

/** A pack that was paid for: how many images it has, and how many the seller had bought in all before. */
interface BoughtPack {
  images: number;
  before: number;
}

/**
 * Shows the result when the seller returns from Stripe: `?checkout=success` waits until the plan is active,
 * `?changed=<plan>` until it is that plan, `?pack=<images>&before=<images>` until a pack has come, `?checkout=cancelled` says that nothing was charged, and `?payment=added` that
 * the plan has not changed yet. The parameter is removed from the URL, so a reload does not show it again.
 */
export function CheckoutReturn({ subscription }: { subscription: SubscriptionView }) {
  const result = useCheckoutResult();
  if (result !== null && typeof result === 'object' && 'pack' in result) {
    return <PackReturn subscription={subscription} pack={result.pack} />;
  }
  return <PlanReturn subscription={subscription} result={result} />;
}

/** What became of the payment for a pack. A bank debit takes days, so it is not waited for. */
function PackReturn({ subscription, pack }: { subscription: SubscriptionView; pack: BoughtPack }) {
  const { bought = 0, arriving = 0 } = subscription.packImages ?? {};
  const isThere = bought > pack.before;
  const polls = usePollSubscription(!isThere && arriving === 0);
  if (isThere) {
    return (
      <Notice tone="good">
        Thank you! {countText(pack.images, 'image')} {pack.images === 1 ? 'was' : 'were'} added to your
        balance. <LinkToStudio />
      </Notice>
    );
  }
  if (arriving > 0) {
    return (
      <Notice tone="info">
        Thank you! Your bank takes a few days to confirm the payment. Your images arrive once it has.
      </Notice>
    );
  }
  if (polls >= maxPolls) {
    return (
      <Notice tone="info">
        Thank you! Your payment is taking longer than usual to be confirmed. Your images arrive automatically
        once it is.
      </Notice>
    );
  }
  return <Waiting />;
}

function Waiting() {
  return (
    <Notice tone="info">
      <span className="inline-flex items-center gap-2">
        Thank you! We are waiting for your payment to be confirmed. <Spinner />
      </span>
    </Notice>
  );
}

interface PlanReturnProps {
  subscription: SubscriptionView;
  result: Exclude<CheckoutResult, { pack: BoughtPack }>;
}

function PlanReturn({ subscription, result }: PlanReturnProps) {
  const wanted = result !== null && typeof result === 'object' ? result.changed : null;
  const isPaid = wanted !== null || result === 'success';
  const isActive = wanted === null ? subscription.canGenerate : subscription.plan === wanted;
  const waiting = isPaid && !isActive;
  const polls = usePollSubscription(waiting);
  // The plan that was paid for; it must not change when another one is selected later.
  const [activePlan, setActivePlan] = useState<PlanId | null>(null);
  if (isPaid && isActive && activePlan === null) {
    setActivePlan(subscription.plan);
  }

  if (result === null) return null;
  if (result === 'cancelled') return <Notice tone="info">Checkout cancelled. Nothing was charged.</Notice>;
  if (result === 'added') {
    return (
      <Notice tone="good">
        Your payment method is saved. Your plan hasn't changed yet: select it again to upgrade.
      </Notice>
    );
  }
  if (activePlan !== null) {
    return (
      <Notice tone="good">
        Thank you! Your {plans[activePlan].name} plan is active. <LinkToStudio />
      </Notice>
    );
  }
  if (polls >= maxPolls) {
    return (
      <Notice tone="info">
        Thank you! Your payment is taking longer than usual to be confirmed. Your{' '}
        {wanted === null ? '' : `${plans[wanted].name} `}plan starts automatically once it is.
      </Notice>
    );
  }
  return <Waiting />;
}

/** Except in the studio: to what the seller may have prepared there. */
function LinkToStudio() {
  if (useLocation().pathname === pages.dashboard) return null;
  return (
    <Link to={pages.dashboard} className="font-semibold underline underline-offset-3">
      Go to the studio
    </Link>
  );
}

const parameters = ['checkout', 'changed', 'payment', 'portal', 'pack', 'before'];

/** Reads the result from the URL once and removes it from there. */
function useCheckoutResult(): CheckoutResult {
  const [query, setQuery] = useSearchParams();
  const [result, setResult] = useState<CheckoutResult>(null);
  const readResult = useEffectEvent(() => {
    const checkout = query.get('checkout');
    const changed = planIds.find((plan) => plan === query.get('changed'));
    if (checkout === 'success' || checkout === 'cancelled') setResult(checkout);
    else if (changed !== undefined) setResult({ changed });
    else if (query.get('payment') === 'added') setResult('added');
    else if (query.has('pack')) {
      setResult({ pack: { images: Number(query.get('pack')), before: Number(query.get('before')) } });
    }
    if (parameters.some((name) => query.has(name))) {
      const rest = new URLSearchParams(query);
      for (const name of parameters) rest.delete(name);
      setQuery(rest, { replace: true, preventScrollReset: true });
    }
  });
  useEffect(() => readResult(), []);
  return result;
}

/** Polls the subscription while `active`. @returns the number of polls */
function usePollSubscription(active: boolean): number {
  const { refresh } = useRefreshSubscription();
  const [polls, setPolls] = useState(0);
  const poll = useEffectEvent(() => {
    refresh();
    setPolls((count) => count + 1);
  });
  useEffect(() => {
    if (!active || polls >= maxPolls) return;
    const timer = setTimeout(() => poll(), pollIntervalMs);
    return () => clearTimeout(timer);
  }, [active, polls]);
  return polls;
}
