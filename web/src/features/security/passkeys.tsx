import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { limits, type PasskeyView } from '#contract';
import { serverNow } from '#web/lib/clock.ts';
import { useDates } from '#web/lib/dates.ts';
import { useFactors } from '#web/lib/passkeys/use-factors.ts';
import { usePasskeysOffered } from '#web/lib/passkeys/use-passkeys-offered.ts';
import { Button } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { AddPasskeyDialog } from './add-passkey-dialog.tsx';
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx';
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx';

/** The seller's passkeys, with buttons to add, rename and remove them. */
export function Passkeys({ twoFactor }: { twoFactor: boolean }) {
  const [adding, setAdding] = useState(false);
  const { data, error, isPending, refetch } = useFactors();
  const passkeys = data?.passkeys ?? [];
  const offered = usePasskeysOffered();
  const full = passkeys.length >= limits.passkeys;
  return (
    <div className="grid gap-3 border-t border-line pt-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-[1_1_16rem]">
          <h3 className="font-medium">Passkeys</h3>
          <p className="text-sm text-ink-soft">
            {offered
              ? 'Sign in with your fingerprint, face or screen lock, without your password.'
              : "This browser can't use passkeys on this site."}
          </p>
        </div>
        {offered && (
          <Button variant="secondary" disabled={full} onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        )}
      </div>
      {full && (
        <p className="text-sm text-ink-soft">You have {limits.passkeys} passkeys, which is the most.</p>
      )}
      {isPending && twoFactor && <ListSkeleton rows={1} />}
      {error && <ListError error={error} onRetry={() => refetch()} />}
      {passkeys.length > 0 && (
        <ul aria-label="Passkeys" className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyItem
              key={passkey.id}
              passkey={passkey}
              isLast={passkeys.length === 1 && data?.app === false}
            />
          ))}
        </ul>
      )}
      <AddPasskeyDialog open={adding} onClose={() => setAdding(false)} twoFactor={twoFactor} />
    </div>
  );
}

function PasskeyItem({ passkey, isLast }: { passkey: PasskeyView; isLast: boolean }) {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const dates = useDates();
  const { name, createdAt, lastUsedAt } = passkey;
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-1 py-2.5">
      <KeyRound aria-hidden className="size-5 shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-[1_1_12rem]">
        <p className="font-medium wrap-anywhere" dir="auto">
          {name}
        </p>
        <p className="text-sm text-ink-soft">
          Added {dates.shortDateTime(createdAt)} ·{' '}
          {lastUsedAt === null ? 'not used yet' : `last used ${dates.ago(lastUsedAt, serverNow())}`}
        </p>
      </div>
      <div className="-mr-3 flex">
        <Button variant="quiet" aria-label={`Rename ${name}`} onClick={() => setOpen('rename')}>
          Rename
        </Button>
        <Button variant="quiet" aria-label={`Remove ${name}`} onClick={() => setOpen('remove')}>
          Remove
        </Button>
      </div>
      <RenamePasskeyDialog open={open === 'rename'} onClose={close} passkey={passkey} />
      <RemovePasskeyDialog open={open === 'remove'} onClose={close} passkey={passkey} isLast={isLast} />
    </li>
  );
}
