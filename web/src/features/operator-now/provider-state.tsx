import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import type { OperatorNow } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { Section } from '#web/ui/section.tsx';
import { tryProvider } from './api.ts';
import { timeBetween } from './duration-text.ts';

const breakers: Readonly<Record<OperatorNow['provider']['breaker'], string>> = {
  closed: 'closed: calls are made',
  open: 'open: no calls are made',
  'half-open': 'half-open: single calls probe whether it works again',
};

const kinds = {
  busy: 'it is busy',
  connection: 'it cannot be reached, or fails',
  account: 'it refuses our account',
} as const;

interface ProviderStateProps {
  provider: OperatorNow['provider'];
  /** When it was read. */
  at: string;
}

/** Limiter and breaker of the image provider, and the way to end a pause. */
export function ProviderState({ provider, at }: ProviderStateProps) {
  const client = useQueryClient();
  const [asked, setAsked] = useState(false);
  const { breaker, since, until, kind, cause, refusedCalls, limiter } = provider;
  const limited = (used: number, limit: number) => (limit === 0 ? 'no limit' : `${used} of ${limit}`);
  const facts: (readonly [name: string, value: string])[] = [
    ['Breaker', since ? `${breakers[breaker]}, for ${timeBetween(since, at)}` : breakers[breaker]],
    ['Calls in the last minute', limited(limiter.used, limiter.perMinute)],
    ['Calls under way', limited(limiter.running, limiter.inFlight)],
  ];
  if (kind) facts.push(['Paused because', kinds[kind]]);
  if (cause) facts.push(['Last refusal', cause]);
  if (refusedCalls > 0) facts.push(['Refused calls', String(refusedCalls)]);
  if (until) facts.push(['Next call in', timeBetween(at, until)]);
  if (limiter.waitsUntil) facts.push(['Accepts more calls in', timeBetween(at, limiter.waitsUntil)]);
  return (
    <Section
      id="provider"
      title="Image provider"
      trailing={
        until && (
          <Button variant="secondary" onClick={() => setAsked(true)}>
            Try again now
          </Button>
        )
      }
    >
      <Facts items={facts} />
      {asked && (
        <ReasonDialog
          title="Try the provider again now"
          description="The pause ends: the next job calls the provider. If it refuses, a new pause begins. No image is lost."
          submitLabel="Try again now"
          run={tryProvider}
          onDone={(now) => {
            client.setQueryData<OperatorNow>(queryKeys.operatorNow, now);
            toast.success('The next job calls the provider.');
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </Section>
  );
}
