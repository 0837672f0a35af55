import { useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import type { PasskeyView } from '#contract';
import { useMe } from '#web/lib/session.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { ReauthenticationForm } from '#web/ui/reauthentication-form.tsx';
import { cacheFactors, removePasskey } from './api.ts';
import { operatorsLoseRole } from './operators-lose-role.ts';

interface RemovePasskeyDialogProps {
  open: boolean;
  onClose: () => void;
  passkey: PasskeyView;
  /** Whether there is no other passkey and no authenticator app. */
  isLast: boolean;
}

/** Removes a passkey. */
export function RemovePasskeyDialog({ open, onClose, passkey, isLast }: RemovePasskeyDialogProps) {
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
