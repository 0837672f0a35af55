import { useMutation, useQueryClient } from '@tanstack/react-query';
import { limits, type Webhook } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx';
import { ShownSecret } from '#web/ui/shown-secret.tsx';
import { rotateSecret } from './api.ts';

/** Gives a webhook another secret, which is shown once. */
export function RotateSecretDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const client = useQueryClient();
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => rotateSecret(webhook.id),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.webhooks }),
  });
  const hours = `For ${limits.webhookRotationHours} hours we sign with both`;
  if (data) {
    return (
      <Dialog
        open
        dismissible={false}
        onClose={onClose}
        title="Copy the new secret now"
        description={`This is the only time that we show it. ${hours}, so put it into your server until then.`}
      >
        <ShownSecret name="secret" secret={data.secret} onSaved={onClose} />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title="Make a new secret?"
      description={`${hours}, so that nothing is lost while you change your server. Then the old one is no longer valid.`}
      label="Make a new secret"
      busyLabel="One moment..."
      cancelLabel="Keep the old one"
      busy={isPending}
      error={error && messageOf(error)}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
