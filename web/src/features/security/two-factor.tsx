import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { useFactors } from '#web/lib/passkeys/use-factors.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useMe } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ReauthenticationForm } from '#web/ui/reauthentication-form.tsx';
import { cacheFactors, createRecoveryCodes, disableTwoFactor } from './api.ts';
import { EnableTwoFactorDialog } from './enable-two-factor-dialog.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';

/** Whether two-factor sign-in is on; adds and removes the authenticator app, and creates new recovery codes. */
export function TwoFactor({ enabled }: { enabled: boolean }) {
  const { data } = useFactors();
  const hasPasskeys = (data?.passkeys.length ?? 0) > 0;
  // Until it is known: whoever had two-factor sign-in before there were passkeys has an app.
  const hasApp = enabled && (data?.app ?? true);
  const [open, setOpen] = useState<'enable' | 'disable' | 'recovery-codes' | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-6">
      <div className="min-w-0 flex-[1_1_16rem]">
        <h3 className="flex items-center gap-2.5 font-medium">
          Two-factor sign-in
          <span
            className={
              enabled
                ? 'rounded-full bg-good-wash px-2.5 py-0.5 text-sm font-semibold text-good'
                : 'rounded-full bg-sunken px-2.5 py-0.5 text-sm font-semibold text-ink-soft'
            }
          >
            {enabled ? 'On' : 'Off'}
          </span>
        </h3>
        <p className="text-sm text-ink-soft">
          {hasPasskeys
            ? `Asks for your passkey or a ${hasApp ? 'code from your phone' : 'recovery code'} when you sign in with your password.`
            : 'Asks for a code from your phone at sign-in.'}
        </p>
      </div>
      {enabled ? (
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={() => setOpen('recovery-codes')}>
            New recovery codes
          </Button>
          {hasApp && (
            <Button variant="secondary" onClick={() => setOpen('disable')}>
              {hasPasskeys ? 'Remove the app' : 'Turn off'}
            </Button>
          )}
          {!hasApp && (
            <Button variant="secondary" onClick={() => setOpen('enable')}>
              Add an authenticator app
            </Button>
          )}
        </div>
      ) : (
        <Button variant="secondary" onClick={() => setOpen('enable')}>
          Turn on
        </Button>
      )}
      <EnableTwoFactorDialog open={open === 'enable'} onClose={close} twoFactor={enabled} />
      <RecoveryCodesDialog open={open === 'recovery-codes'} onClose={close} />
      <DisableTwoFactorDialog open={open === 'disable'} onClose={close} hasPasskeys={hasPasskeys} />
    </div>
  );
}

interface DisableTwoFactorDialogProps {
  open: boolean;
  onClose: () => void;
  /** With passkeys, two-factor sign-in stays on. */
  hasPasskeys: boolean;
}

/** Removes the authenticator app, which turns two-factor sign-in off unless there are passkeys. */
function DisableTwoFactorDialog({ open, onClose, hasPasskeys }: DisableTwoFactorDialogProps) {
  const client = useQueryClient();
  const { data: me } = useMe();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={hasPasskeys ? 'Remove your authenticator app?' : 'Turn off two-factor sign-in?'}
      description={[
        hasPasskeys
          ? 'Its codes will stop working. Your passkeys and recovery codes stay.'
          : 'Your account will be protected by your password only, and your recovery codes will stop working.',
        me?.user.operator && operatorsLoseRole,
      ]
        .filter(Boolean)
        .join(' ')}
    >
      <ReauthenticationForm
        twoFactor
        submitLabel={hasPasskeys ? 'Remove' : 'Turn off'}
        busyLabel={hasPasskeys ? 'Removing...' : 'Turning off...'}
        cancelLabel={hasPasskeys ? 'Keep it' : 'Keep it on'}
        call={disableTwoFactor}
        onSuccess={() => {
          cacheFactors(client, hasPasskeys, false);
          toast.success(hasPasskeys ? 'Your authenticator app was removed.' : 'Two-factor sign-in is off.');
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** Replaces the recovery codes with new ones. */
function RecoveryCodesDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => {
    setCodes(null);
    onClose();
  };
  if (codes !== null) {
    return (
      <Dialog
        open={open}
        dismissible={false}
        onClose={close}
        title="Save your recovery codes"
        description="Each works once if you don't have your phone. They won't be shown again. The old codes no longer work."
      >
        <RecoveryCodeList codes={codes} onSaved={close} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title="New recovery codes"
      description="Your current recovery codes will stop working. Please enter your password and a code."
    >
      <ReauthenticationForm
        twoFactor
        submitLabel="Create new codes"
        busyLabel="One moment..."
        call={createRecoveryCodes}
        onSuccess={({ recoveryCodes }) => {
          client.invalidateQueries({ queryKey: queryKeys.activity });
          setCodes(recoveryCodes);
        }}
        onCancel={close}
      />
    </Dialog>
  );
}

/** Added to what is said before an operator removes a second factor (docs/decisions/0087-factors.md). */
export const operatorsLoseRole = 'You will not be an operator again until the role is granted again.';
