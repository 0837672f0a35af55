import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { limits, type PasskeyView, type RenamePasskey, renamePasskeySchema } from '#contract';
import { serverNow } from '#web/lib/clock.ts';
import { useDates } from '#web/lib/dates.ts';
import { usePasskeysOffered } from '#web/lib/passkeys/passkeys.ts';
import { useFactors } from '#web/lib/passkeys/use-factors.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useMe } from '#web/lib/session.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogForm } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { ReauthenticationForm } from '#web/ui/reauthentication-form.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { AddPasskeyDialog } from './add-passkey-dialog.tsx';
import { cacheFactors, removePasskey, renamePasskey } from './api.ts';
import { operatorsLoseRole } from './two-factor.tsx';

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
      {open === 'rename' && <RenamePasskeyDialog onClose={close} passkey={passkey} />}
      <RemovePasskeyDialog open={open === 'remove'} onClose={close} passkey={passkey} isLast={isLast} />
    </li>
  );
}

/** Gives a passkey another name. */
function RenamePasskeyDialog({ passkey, onClose }: { passkey: PasskeyView; onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm<RenamePasskey>({
    resolver: zodResolver(renamePasskeySchema),
    defaultValues: { name: passkey.name },
  });
  const mutation = useFormMutation(form, ({ name }) => renamePasskey(passkey.id, name), {
    onSuccess: () => {
      client.invalidateQueries({ queryKey: queryKeys.factors });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title="Rename passkey">
      <DialogForm mutation={mutation} submitLabel="Save" onCancel={onClose}>
        <Field
          label="Name"
          autoComplete="off"
          maxLength={limits.passkeyNameCharacters}
          required
          {...registerField(form, 'name')}
        />
      </DialogForm>
    </Dialog>
  );
}

interface RemovePasskeyDialogProps {
  open: boolean;
  onClose: () => void;
  passkey: PasskeyView;
  /** Whether there is no other passkey and no authenticator app. */
  isLast: boolean;
}

/** Removes a passkey. */
function RemovePasskeyDialog({ open, onClose, passkey, isLast }: RemovePasskeyDialogProps) {
  const client = useQueryClient();
  const { data: me } = useMe();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Remove “${passkey.name}”?`}
      description={[
        isLast
          ? 'It is your only second factor. Two-factor sign-in will be off, and your recovery codes will stop working.'
          : 'It will no longer sign in to your account.',
        me?.user.operator && operatorsLoseRole,
      ]
        .filter(Boolean)
        .join(' ')}
    >
      <ReauthenticationForm
        twoFactor
        submitLabel="Remove"
        busyLabel="Removing..."
        cancelLabel="Keep it"
        call={(credentials) => removePasskey(passkey.id, credentials)}
        onSuccess={() => {
          cacheFactors(client, !isLast);
          toast.success('The passkey was removed.');
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
