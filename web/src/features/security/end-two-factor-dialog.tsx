import { useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { Dialog } from '#web/ui/dialog.tsx';
import { endTwoFactor } from './api/end-two-factor.ts';
import { BothFactorsForm } from './both-factors-form.tsx';
import { takeTwoFactor } from './take-two-factor.ts';

/** Turns two-factor sign-in off; asks for both factors. */
export function EndTwoFactorDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <Dialog
      open={open}
      onOpenChange={(now) => !now && onClose()}
      title="Turn off two-factor sign-in?"
      description="Your password alone then protects your account, and your recovery codes stop working."
    >
      <BothFactorsForm
        label="Turn off"
        busyLabel="Turning off..."
        closeLabel="Keep it on"
        call={endTwoFactor}
        onDone={() => {
          takeTwoFactor(client, false);
          toast.success('Two-factor sign-in is off.');
          onClose();
        }}
        onClose={onClose}
      />
    </Dialog>
  );
}
