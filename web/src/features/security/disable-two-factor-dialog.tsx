import { useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { Dialog } from '#web/ui/dialog.tsx';
import { ReauthenticationForm } from '#web/ui/reauthentication-form.tsx';
import { disableTwoFactor } from './api/disable-two-factor.ts';
import { cacheTwoFactor } from './cache-two-factor.ts';

/** Turns two-factor sign-in off. */
export function DisableTwoFactorDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Turn off two-factor sign-in?"
      description="Your account will be protected by your password only, and your recovery codes will stop working."
    >
      <ReauthenticationForm
        twoFactor
        submitLabel="Turn off"
        busyLabel="Turning off..."
        cancelLabel="Keep it on"
        call={disableTwoFactor}
        onSuccess={() => {
          cacheTwoFactor(client, false);
          toast.success('Two-factor sign-in is off.');
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
