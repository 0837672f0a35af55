import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import {
  type ApiScope,
  apiKeyLives,
  apiScopes,
  type CreateApiKey,
  createApiKeySchema,
  limits,
} from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { CheckGroup } from '#web/ui/check-group.tsx';
import { Dialog, DialogForm } from '#web/ui/dialog.tsx';
import { Field, FieldError } from '#web/ui/field.tsx';
import { ReauthenticationForm } from '#web/ui/reauthentication-form.tsx';
import { LabelledSelect } from '#web/ui/select.tsx';
import { ShownSecret } from '#web/ui/shown-secret.tsx';
import { createApiKey } from './api.ts';

/** What is asked for besides password and code. */
type Details = Omit<CreateApiKey, 'password' | 'code'>;

type Step = { name: 'describe' } | { name: 'confirm'; details: Details } | { name: 'shown'; key: string };

const titles = {
  describe: 'Make an API key',
  confirm: 'Confirm that it is you',
  shown: 'Copy your key now',
} as const;

const texts = {
  describe: 'Give each program a key of its own, which may do no more than it needs.',
  confirm: 'Programs with this key use your account without your password.',
  shown: 'This is the only time that we show it. If you lose it, revoke it and make another one.',
} as const;

/** Makes an API key: what it may do, the password, and the key, which is shown once. */
export function CreateApiKeyDialog({ twoFactor, onClose }: { twoFactor: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const [step, setStep] = useState<Step>({ name: 'describe' });
  const made = (key: string) => {
    client.invalidateQueries({ queryKey: queryKeys.apiKeys });
    client.invalidateQueries({ queryKey: queryKeys.activity });
    setStep({ name: 'shown', key });
  };
  return (
    <Dialog
      open
      dismissible={step.name !== 'shown'}
      onClose={onClose}
      title={titles[step.name]}
      description={texts[step.name]}
    >
      {step.name === 'describe' && (
        <DetailsForm onSubmit={(details) => setStep({ name: 'confirm', details })} onCancel={onClose} />
      )}
      {step.name === 'confirm' && (
        <ReauthenticationForm
          twoFactor={twoFactor}
          submitLabel="Make key"
          busyLabel="One moment..."
          call={(credentials) => createApiKey({ ...step.details, ...credentials })}
          onSuccess={({ key }) => made(key)}
          onCancel={onClose}
        />
      )}
      {step.name === 'shown' && <ShownSecret name="key" secret={step.key} onSaved={onClose} />}
    </Dialog>
  );
}

const { name, mode, scopes, days, networks } = createApiKeySchema.shape;

/** Networks as they are written in a field: with commas, spaces or lines between them. */
const networksOf = (text: string) => text.split(/[\s,;]+/).filter(Boolean);

const detailsSchema = z.object({
  name,
  mode: mode.unwrap(),
  scopes,
  days: days.unwrap(),
  networks: z.string().superRefine((text, context) => {
    const { error } = networks.safeParse(networksOf(text));
    const message =
      error?.issues[0]?.code === 'too_big' ? `Please enter at most ${limits.apiKeyNetworks}` : undefined;
    if (error) context.addIssue({ code: 'custom', message: message ?? error.issues[0]!.message });
  }),
});
type DetailsFields = z.infer<typeof detailsSchema>;

const scopeOptions = (Object.keys(apiScopes) as ApiScope[]).map((scope) => ({
  value: scope,
  label: apiScopes[scope],
}));

const modeOptions = [
  { value: 'live', label: 'Live: makes images of your plan' },
  { value: 'test', label: 'Test: watermarked, uses no images' },
] as const;

/** A select has no null: 0 stands for it. */
const lifeOptions = apiKeyLives.map((each) => ({
  value: each ?? 0,
  label: each === null ? 'Never' : `After ${each} days`,
}));

function DetailsForm(props: { onSubmit: (details: Details) => void; onCancel: () => void }) {
  const form = useForm<DetailsFields>({
    resolver: zodResolver(detailsSchema),
    defaultValues: {
      name: '',
      mode: 'live',
      scopes: scopeOptions.map(({ value }) => value),
      days: 90,
      networks: '',
    },
  });
  const mutation = useFormMutation(
    form,
    async (fields) => ({ ...fields, networks: networksOf(fields.networks) }),
    { onSuccess: props.onSubmit },
  );
  const { errors } = form.formState;
  return (
    <DialogForm mutation={mutation} submitLabel="Continue" onCancel={props.onCancel}>
      <Field
        label="Name"
        hint="To tell your keys apart, such as “Shop import”."
        autoComplete="off"
        maxLength={limits.apiKeyNameCharacters}
        required
        {...registerField(form, 'name')}
      />
      <LabelledSelect
        label="Kind"
        value={form.watch('mode')}
        options={modeOptions}
        onChange={(chosen) => form.setValue('mode', chosen)}
      />
      <div>
        <CheckGroup
          legend="It may"
          columns={1}
          options={scopeOptions}
          chosen={form.watch('scopes')}
          onChange={(chosen) =>
            form.setValue('scopes', chosen, { shouldValidate: form.formState.isSubmitted })
          }
        />
        <FieldError id="api-key-scopes-error">{errors.scopes?.message}</FieldError>
      </div>
      <LabelledSelect
        label="Expires"
        value={form.watch('days') ?? 0}
        options={lifeOptions}
        onChange={(chosen) =>
          form.setValue('days', apiKeyLives.find((life) => (life ?? 0) === chosen) ?? null)
        }
      />
      <Field
        label="Networks (optional)"
        hint="IP addresses, or networks such as 203.0.113.0/24, from which it works. Empty for anywhere."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...registerField(form, 'networks')}
      />
    </DialogForm>
  );
}
