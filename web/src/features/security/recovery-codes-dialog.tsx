import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '#web/lib/generations/cache.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { makeRecoveryCodes } from './api/make-recovery-codes.ts';
import { BothFactorsForm } from './both-factors-form.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';

/** Makes new recovery codes in place of the old ones. */
export function RecoveryCodesDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => {
    setCodes(null);
    onClose();
  };
  return (
    <Dialog
      open={open}
      sticky={codes !== null}
      onOpenChange={(now) => !now && close()}
      title={codes ? 'Keep your recovery codes' : 'New recovery codes'}
      description={
        codes
          ? 'Each works once when your phone is out of reach. They are shown only now; the old ones no longer work.'
          : 'The codes that you have now stop working. Please enter your password and a code from your phone.'
      }
    >
      {codes ? (
        <RecoveryCodeList codes={codes} onKept={close} />
      ) : (
        <BothFactorsForm
          label="Make new codes"
          busyLabel="One moment..."
          closeLabel="Cancel"
          call={makeRecoveryCodes}
          onDone={({ recoveryCodes }) => {
            client.invalidateQueries({ queryKey: keys.activity });
            setCodes(recoveryCodes);
          }}
          onClose={close}
        />
      )}
    </Dialog>
  );
}
