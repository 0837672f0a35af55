import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { ReauthenticationForm } from '#web/ui/reauthentication-form.tsx';
import { createRecoveryCodes } from './api.ts';
import { RecoveryCodeList } from './recovery-code-list.tsx';

/** Replaces the recovery codes with new ones. */
export function RecoveryCodesDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
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
