import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { toast } from 'sonner';
import { type ApiKeyView, apiScopes, isolateName, limits, type Me } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { serverNow } from '#web/lib/clock.ts';
import { useDates } from '#web/lib/dates.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { listApiKeys, revokeApiKey } from './api.ts';
import { CreateApiKeyDialog } from './create-api-key-dialog.tsx';

/** The seller's API keys, with buttons to make and revoke them. */
export function ApiKeys({ me }: { me: Me }) {
  const [making, setMaking] = useState(false);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: queryKeys.apiKeys,
    queryFn: ({ signal }) => listApiKeys(signal),
  });
  const keys = data?.apiKeys ?? [];
  const full = keys.length >= limits.apiKeys;
  return (
    <Section
      id="api-keys"
      title="API keys"
      lead={
        <>
          With a key, your own programs make images on your account.{' '}
          <Link to="/documentation/first-image-with-the-api" className={textLinkClass}>
            How it works
          </Link>
        </>
      }
      trailing={
        <Button variant="secondary" disabled={full} onClick={() => setMaking(true)}>
          Make a key
        </Button>
      }
    >
      {full && <p className="text-sm text-ink-soft">You have {limits.apiKeys} keys, which is the most.</p>}
      {isPending && <ListSkeleton rows={2} />}
      {error && <ListError error={error} onRetry={() => refetch()} />}
      {data && keys.length === 0 && <p className="text-ink-soft">You have no API keys.</p>}
      {keys.length > 0 && (
        <ul aria-label="API keys" className="divide-y divide-line">
          {keys.map((key) => (
            <ApiKeyItem key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
      {making && <CreateApiKeyDialog twoFactor={me.user.twoFactorEnabled} onClose={() => setMaking(false)} />}
    </Section>
  );
}

function ApiKeyItem({ apiKey }: { apiKey: ApiKeyView }) {
  const [asking, setAsking] = useState(false);
  const dates = useDates();
  const { name, mode, hint, scopes, networks, createdAt, expiresAt, lastUsedAt } = apiKey;
  const now = serverNow();
  const ended = expiresAt !== null && Date.parse(expiresAt) <= now;
  const facts = [
    ...(mode === 'test' ? ['Test key'] : []),
    `Made ${dates.shortDateTime(createdAt)}`,
    lastUsedAt === null ? 'not used yet' : `last used ${dates.ago(lastUsedAt, now)}`,
    expiresAt === null
      ? 'never expires'
      : `${ended ? 'expired' : 'expires'} ${dates.shortDateTime(expiresAt)}`,
  ];
  return (
    <li className="flex flex-wrap items-start gap-x-3.5 gap-y-1 py-3">
      <KeyRound aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-[1_1_14rem]">
        <p className="font-medium wrap-anywhere">
          <Name>{name}</Name>{' '}
          <span className="font-mono text-sm font-normal whitespace-nowrap text-ink-soft" translate="no">
            …{hint}
          </span>
        </p>
        <p className="text-sm text-ink-soft">{facts.join(' · ')}</p>
        <ul aria-label="What it may do" className="mt-1 text-sm text-ink-soft">
          {scopes.map((scope) => (
            <li key={scope}>{apiScopes[scope]}</li>
          ))}
        </ul>
        {networks.length > 0 && (
          <p className="mt-1 text-sm wrap-anywhere text-ink-soft">Only from {networks.join(', ')}</p>
        )}
      </div>
      <Button
        variant="quiet"
        className="-mr-3 ml-auto"
        aria-label={`Revoke ${isolateName(name)}`}
        onClick={() => setAsking(true)}
      >
        Revoke
      </Button>
      {asking && <RevokeDialog apiKey={apiKey} onClose={() => setAsking(false)} />}
    </li>
  );
}

function RevokeDialog({ apiKey: { id, name }, onClose }: { apiKey: ApiKeyView; onClose: () => void }) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => revokeApiKey(id),
    onSuccess: () => {
      client.invalidateQueries({ queryKey: queryKeys.apiKeys });
      client.invalidateQueries({ queryKey: queryKeys.activity });
      toast.success('The key was revoked.');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={
        <>
          Revoke “<Name>{name}</Name>”?
        </>
      }
      description="Programs that use this key stop working at once. This can't be undone."
      label="Revoke"
      busyLabel="Revoking..."
      cancelLabel="Keep it"
      busy={isPending}
      error={error && messageOf(error)}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
