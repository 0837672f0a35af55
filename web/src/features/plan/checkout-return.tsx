import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type PlanId, plans, type SubscriptionView } from '#contract';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useSubscriptionRead } from './use-subscription-read.ts';

/** Between two looks at Stripe while a payment is awaited, in ms: well within ten a minute. */
const lookInterval = 8_000;
/** Looks after which the seller is told that it takes longer. */
const patience = 6;

type Visit = 'thanks' | 'cancelled' | null;

/**
 * Who comes back from Stripe: `?checkout=success` is thanked and waits until the plan works, `?checkout=cancelled`
 * reads that nothing was charged. The address is cleaned, so that a reload says nothing twice.
 */
export function CheckoutReturn({ subscription }: { subscription: SubscriptionView }) {
  const { again } = useSubscriptionRead();
  const [query, setQuery] = useSearchParams();
  const checkout = query.get('checkout');
  const [visit, setVisit] = useState<Visit>(null);
  const [looks, setLooks] = useState(0);
  const works = subscription.canGenerate;
  const waiting = visit === 'thanks' && !works;
  // The plan that was paid for: what is chosen after that says so by itself.
  const [begun, setBegun] = useState<PlanId | null>(null);
  if (visit === 'thanks' && works && begun === null) setBegun(subscription.plan);

  const arrive = useEffectEvent(() => {
    if (checkout === 'success') setVisit('thanks');
    else if (checkout === 'cancelled') setVisit('cancelled');
    if (query.has('checkout') || query.has('portal'))
      setQuery({}, { replace: true, preventScrollReset: true });
  });
  useEffect(() => arrive(), []);

  const look = useEffectEvent(() => {
    again();
    setLooks((before) => before + 1);
  });
  useEffect(() => {
    if (!waiting || looks >= patience) return;
    const timer = setTimeout(look, lookInterval);
    return () => clearTimeout(timer);
  }, [waiting, looks]);

  if (visit === null) return null;
  if (visit === 'cancelled') {
    return <Notice tone="info">You left the checkout before the end. Nothing was charged.</Notice>;
  }
  if (begun !== null) {
    return <Notice tone="good">Thank you! Your {plans[begun].name} plan is active.</Notice>;
  }
  return (
    <Notice tone="info">
      {looks < patience ? (
        <span className="inline-flex items-center gap-2">
          Thank you! We are waiting for your payment to be confirmed. <Spinner />
        </span>
      ) : (
        'Thank you! Your payment takes longer than usual to be confirmed. Your plan starts here by itself as soon as it is.'
      )}
    </Notice>
  );
}
