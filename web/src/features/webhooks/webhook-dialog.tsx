import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  type ApiKeyMode,
  type CreateWebhook,
  createWebhookSchema,
  limits,
  type Webhook,
  webhookEventNames,
  webhookEvents,
} from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { CheckGroup } from '#web/ui/check-group.tsx';
import { Dialog, DialogForm } from '#web/ui/dialog.tsx';
import { Field, FieldError } from '#web/ui/field.tsx';
import { LabelledSelect } from '#web/ui/select.tsx';
import { ShownSecret } from '#web/ui/shown-secret.tsx';
import { changeWebhook, createWebhook } from './api.ts';

const modeLabels: Record<ApiKeyMode, string> = {
  live: 'Live: images of your plan',
  test: 'Test: images of test keys',
};

interface WebhookDialogProps {
  /** The one to change; a new one unless given. */
  webhook?: Webhook;
  /** What a new one may be told of. */
  modes: readonly ApiKeyMode[];
  onClose: () => void;
}

/** Makes a webhook, whose secret is shown once, or changes one. */
export function WebhookDialog({ webhook, modes, onClose }: WebhookDialogProps) {
  const client = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const form = useForm<CreateWebhook>({
    resolver: zodResolver(createWebhookSchema),
    defaultValues: {
      url: webhook?.url ?? '',
      events: webhook?.events ?? [...webhookEventNames],
      ...(!webhook && { mode: modes[0] }),
    },
  });
  const mutation = useFormMutation(
    form,
    async (fields: CreateWebhook) => {
      if (!webhook) return (await createWebhook(fields)).secret;
      await changeWebhook(webhook.id, fields);
      return null;
    },
    {
      onSuccess: (made) => {
        client.invalidateQueries({ queryKey: queryKeys.webhooks });
        if (made === null) onClose();
        else setSecret(made);
      },
    },
  );
  const { errors } = form.formState;
  if (secret !== null) {
    return (
      <Dialog
        open
        dismissible={false}
        onClose={onClose}
        title="Copy the secret now"
        description="Your server verifies with it that an event is from us. This is the only time that we show it. If you lose it, make a new one."
      >
        <ShownSecret name="secret" secret={secret} onSaved={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={webhook ? 'Edit the webhook' : 'Add a webhook'}
      description="We send events to this address, one after the other, until your server accepts them."
    >
      <DialogForm mutation={mutation} submitLabel={webhook ? 'Save' : 'Add webhook'} onCancel={onClose}>
        <Field
          label="Address"
          type="url"
          hint="Begins with https://, and is on the public internet."
          placeholder="https://shop.example/packshot"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.webhookUrlCharacters}
          required
          {...registerField(form, 'url')}
        />
        {!webhook && (
          <LabelledSelect
            label="Kind"
            value={form.watch('mode') ?? 'live'}
            options={modes.map((value) => ({ value, label: modeLabels[value] }))}
            onChange={(mode) => form.setValue('mode', mode)}
          />
        )}
        <div>
          <CheckGroup
            legend="Events"
            columns={1}
            options={webhookEventNames.map((value) => ({ value, label: webhookEvents[value] }))}
            chosen={form.watch('events')}
            onChange={(chosen) =>
              form.setValue('events', chosen, { shouldValidate: form.formState.isSubmitted })
            }
          />
          <FieldError id="webhook-events-error">{errors.events?.message}</FieldError>
        </div>
      </DialogForm>
    </Dialog>
  );
}
