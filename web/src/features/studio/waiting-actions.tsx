import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, ArrowUpToLine, Pencil, X } from 'lucide-react';
import { Controller, useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { z } from 'zod';
import {
  type ChangeWaiting,
  type GenerationView,
  generationFieldsSchema,
  generationViewSchema,
  imageOptionsSchema,
  latinDigits,
  limits,
  type MoveInLine,
  paths,
} from '#contract';
import { callApi, messageOf } from '#web/lib/api.ts';
import { refreshGeneration } from '#web/lib/generations.ts';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { useMe } from '#web/lib/session.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Dialog, DialogForm } from '#web/ui/dialog.tsx';
import { Field, TextAreaField } from '#web/ui/field.tsx';
import { OptionFields } from '#web/ui/options/option-fields.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { useCancel } from './api.ts';

/** Moves a generation that waits within the seller's line. @throws ApiError; ALREADY_BEGUN if it is too late */
function moveGeneration({ id, ...body }: MoveInLine & { id: string }): Promise<GenerationView> {
  return callApi('POST', paths.moveGeneration(id), generationViewSchema, { body });
}

/** Changes what a generation that waits asks for. @throws ApiError; ALREADY_BEGUN if it is too late */
function changeWaiting(id: string, body: ChangeWaiting): Promise<GenerationView> {
  return callApi('PATCH', paths.generationRequest(id), generationViewSchema, { body });
}

interface WaitingActionsProps {
  view: GenerationView;
  /** The seller's images that wait, the next one first. */
  line: readonly GenerationView[];
  /** What the image is called. */
  name: string;
  onEdit: () => void;
}

/** What a seller can do with an image that waits: change its place in the own line, edit its request, cancel it. */
export function WaitingActions({ view, line, name, onEdit }: WaitingActionsProps) {
  const client = useQueryClient();
  const cancel = useCancel();
  const move = useMutation({
    mutationFn: moveGeneration,
    onSuccess: (moved) => cacheGeneration(client, moved),
    onError: async (error, { id }) => {
      await refreshGeneration(client, id).catch(() => {});
      toastError(messageOf(error));
    },
  });
  const place = line.findIndex(({ id }) => id === view.id);
  const before = line[place - 1];
  const after = line[place + 1];
  const busy = move.isPending || cancel.isPending;
  const actions = [
    ...(before
      ? [
          {
            label: 'Move to the front',
            Icon: ArrowUpToLine,
            act: () => move.mutate({ id: view.id, before: null }),
          },
          { label: 'Move up', Icon: ArrowUp, act: () => move.mutate({ id: view.id, before: before.id }) },
        ]
      : []),
    // The one after it is moved before it.
    ...(after
      ? [{ label: 'Move down', Icon: ArrowDown, act: () => move.mutate({ id: after.id, before: view.id }) }]
      : []),
    ...(view.change === null && view.remakeOf === null ? [{ label: 'Edit', Icon: Pencil, act: onEdit }] : []),
    { label: 'Cancel', Icon: X, act: () => cancel.mutate({ id: view.id, useImage: false }) },
  ];
  return (
    <div className="flex">
      {actions.map(({ label, Icon, act }) => (
        <button
          key={label}
          type="button"
          aria-label={`${label}: ${name}`}
          title={label}
          disabled={busy}
          onClick={act}
          className="grid size-11 place-items-center rounded-full text-ink-soft hover:bg-sunken hover:text-ink disabled:opacity-60"
        >
          <Icon aria-hidden className="size-4" />
        </button>
      ))}
    </div>
  );
}

const { prompt } = generationFieldsSchema.shape;
const requestSchema = z.object({
  prompt,
  options: imageOptionsSchema,
  /** Empty keeps the seed. */
  seed: z
    .string()
    .trim()
    .overwrite(latinDigits)
    .refine((text) => /^\d*$/.test(text) && Number(text) <= limits.seed, {
      error: `Please enter a whole number up to ${limits.seed.toLocaleString('en')}.`,
    }),
});

/** Edits scene and options of an image that waits. */
export function EditWaitingDialog({ view, onClose }: { view: GenerationView; onClose: () => void }) {
  const client = useQueryClient();
  const capabilities = useMe().data?.imageCapabilities;
  const { seed, ...options } = view.options;
  const form = useForm({
    resolver: zodResolver(requestSchema),
    defaultValues: {
      prompt: view.prompt,
      options,
      seed: seed === null ? '' : String(seed),
    },
  });
  const mutation = useFormMutation(
    form,
    ({ options: chosen, seed: wanted, ...request }) =>
      changeWaiting(view.id, {
        ...request,
        ...chosen,
        ...(wanted !== '' && { seed: Number(wanted) }),
      }),
    {
      fields: { PROMPT_REQUIRED: 'prompt', PROMPT_INVALID: 'prompt' },
      onSuccess: (changed) => {
        cacheGeneration(client, changed);
        toast('The image will be made as you changed it.');
        onClose();
      },
    },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title="Edit the image"
      description="You can change it until it is being made. It keeps its place and costs no other image."
    >
      <DialogForm mutation={mutation} submitLabel="Save changes" onCancel={onClose}>
        <TextAreaField label="Scene description" rows={3} {...registerField(form, 'prompt')} />
        <Controller
          control={form.control}
          name="options"
          render={({ field: { value, onChange } }) => (
            <OptionFields options={value} onChange={onChange} capabilities={capabilities} />
          )}
        />
        {capabilities?.seed && (
          <Field label="Seed" inputMode="numeric" autoComplete="off" {...registerField(form, 'seed')} />
        )}
      </DialogForm>
    </Dialog>
  );
}
