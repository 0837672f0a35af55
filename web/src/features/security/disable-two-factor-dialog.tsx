import { useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { useMe } from '#web/lib/session.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { ReauthenticationForm } from '#web/ui/reauthentication-form.tsx';
import { cacheFactors, disableTwoFactor } from './api.ts';
import { operatorsLoseRole } from './operators-lose-role.ts';

interface DisableTwoFactorDialogProps {
  open: boolean;
  onClose: () => void;
  /** With passkeys, two-factor sign-in stays on. */
  hasPasskeys: boolean;
}

/** Removes the authenticator app, which turns two-factor sign-in off unless there are passkeys. */
export function DisableTwoFactorDialog({ open, onClose, hasPasskeys }: DisableTwoFactorDialogProps) {
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
