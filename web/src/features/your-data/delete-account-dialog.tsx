import { useQueryClient } from '@tanstack/react-query';
import { liveStatuses, type Me, plans } from '#contract';
import { endSession, expectSessionEnd } from '#web/lib/session.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { ReauthenticationForm } from '#web/ui/reauthentication-form.tsx';
import { deleteAccount } from './api.ts';

interface DeleteAccountDialogProps {
  open: boolean;
  onClose: () => void;
  me: Me;
}

/** Explains what is deleted with the account, and asks for the seller's credentials. */
export function DeleteAccountDialog({ open, onClose, me }: DeleteAccountDialogProps) {
  const client = useQueryClient();
  const { subscription } = me;
  const subscribed = liveStatuses.includes(subscription.status);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Delete your account?"
      description={
        <ul className="ml-5 grid list-disc gap-1.5">
          <li>Your photos and images will be deleted. Download what you want to keep first.</li>
          {subscribed && (
            <li>
              Your {plans[subscription.plan].name} subscription ends immediately. The unused part isn't
              refunded.
            </li>
          )}
          <li>This can't be undone.</li>
        </ul>
      }
    >
      <ReauthenticationForm
        twoFactor={me.user.twoFactorEnabled}
        submitLabel="Delete permanently"
        busyLabel="Deleting..."
        submitClassName="bg-danger! text-page! not-disabled:hover:opacity-90"
        cancelLabel="Keep my account"
        call={(credentials) => {
          expectSessionEnd('account-deleted');
          return deleteAccount(credentials);
        }}
        onSuccess={() => endSession(client, 'account-deleted')}
        onError={() => expectSessionEnd(null)}
        onCancel={onClose}
      />
    </Dialog>
  );
}
