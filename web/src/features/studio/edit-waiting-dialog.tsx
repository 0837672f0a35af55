import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { z } from 'zod';
import {
  type GenerationView,
  generationFieldsSchema,
  imageBackgrounds,
  imageSizeNames,
  imageSizeOf,
  imageSizes,
  imageStyleNames,
  imageStyles,
  latinDigits,
  limits,
} from '#contract';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { useMe } from '#web/lib/session.ts';
import { useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { LabelledSelect } from '#web/ui/labelled-select.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { changeWaiting } from './api.ts';

const { prompt } = generationFieldsSchema.shape;
const requestSchema = z.object({
  prompt,
  negativePrompt: z.string().trim().max(limits.negativePromptCharacters),
  size: z.enum(imageSizeNames),
  style: z.enum(imageStyleNames),
  background: z.enum(imageBackgrounds),
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
  const { negativePrompt, width, height, style, background, seed } = view.options;
  const form = useForm({
    resolver: zodResolver(requestSchema),
    defaultValues: {
      prompt: view.prompt,
      negativePrompt,
      style,
      background,
      size: imageSizeOf(width, height) ?? 'square',
      seed: seed === null ? '' : String(seed),
    },
  });
  const { errors } = form.formState;
  const { submit, isPending, formError } = useFormMutation(
    form,
    ({ size, seed: wanted, ...request }) =>
      changeWaiting(view.id, {
        ...request,
        ...imageSizes[size],
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
      <DialogForm
        onSubmit={submit}
        formError={formError}
        busy={isPending}
        submitLabel="Save changes"
        busyLabel="Saving..."
        onCancel={onClose}
      >
        <TextAreaField
          label="Scene description"
          rows={3}
          error={errors.prompt?.message}
          {...form.register('prompt')}
        />
        <Controller
          control={form.control}
          name="size"
          render={({ field: { value, onChange } }) => (
            <LabelledSelect
              label="Size"
              value={value}
              options={imageSizeNames
                .filter((name) => name === value || capabilities?.sizes.includes(name))
                .map((name) => ({
                  value: name,
                  label: `${imageSizes[name].width} × ${imageSizes[name].height}`,
                }))}
              onChange={onChange}
            />
          )}
        />
        <Controller
          control={form.control}
          name="style"
          render={({ field: { value, onChange } }) => (
            <LabelledSelect
              label="Style"
              value={value}
              options={imageStyleNames.map((name) => ({ value: name, label: imageStyles[name].name }))}
              onChange={onChange}
            />
          )}
        />
        <TextAreaField
          label="What to avoid"
          rows={2}
          error={errors.negativePrompt?.message}
          {...form.register('negativePrompt')}
        />
        {capabilities?.transparentBackground && (
          <Controller
            control={form.control}
            name="background"
            render={({ field: { value, onChange } }) => (
              <LabelledSelect
                label="Background"
                value={value}
                options={[
                  { value: 'opaque', label: 'As in the scene' },
                  { value: 'transparent', label: 'Transparent' },
                ]}
                onChange={onChange}
              />
            )}
          />
        )}
        {capabilities?.seed && (
          <Field
            label="Seed"
            inputMode="numeric"
            autoComplete="off"
            error={errors.seed?.message}
            {...form.register('seed')}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}
