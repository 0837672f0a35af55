import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { z } from 'zod';
import {
  type GenerationView,
  generationFieldsSchema,
  imageSizeNames,
  imageSizeOf,
  imageSizes,
  imageStyleNames,
  imageStyles,
  limits,
} from '#contract';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { LabelledSelect } from '#web/ui/labelled-select.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { changeWaiting } from './api/change-waiting.ts';

const { prompt } = generationFieldsSchema.shape;
const requestSchema = z.object({
  prompt,
  negativePrompt: z.string().trim().max(limits.negativePromptCharacters),
  size: z.enum(imageSizeNames),
  style: z.enum(imageStyleNames),
});

/** Edits scene and options of an image that waits. */
export function EditWaitingDialog({ view, onClose }: { view: GenerationView; onClose: () => void }) {
  const client = useQueryClient();
  const { negativePrompt, width, height, style } = view.options;
  const form = useForm({
    resolver: zodResolver(requestSchema),
    defaultValues: {
      ...{ prompt: view.prompt, negativePrompt, style },
      size: imageSizeOf(width, height) ?? 'square',
    },
  });
  const { errors } = form.formState;
  const { submit, isPending, formError } = useFormMutation(
    form,
    ({ size, ...request }) => changeWaiting(view.id, { ...request, ...imageSizes[size] }),
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
              options={imageSizeNames.map((name) => ({
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
      </DialogForm>
    </Dialog>
  );
}
