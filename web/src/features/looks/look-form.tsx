import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { z } from 'zod';
import { createLookSchema, type LookView, limits } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useFormMutation } from '#web/lib/use-form-mutation.ts';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';

const { name, scene } = createLookSchema.shape;
const textSchema = z.object({ name, scene });
type LookText = z.infer<typeof textSchema>;

interface LookFormProps {
  initial: LookText;
  /** Saves the look with these texts. @throws ApiError */
  save: (text: LookText) => Promise<LookView>;
  onClose: () => void;
}

/** Name and scene of a look that is saved or edited. */
export function LookForm({ initial, save, onClose }: LookFormProps) {
  const client = useQueryClient();
  const form = useForm({ resolver: zodResolver(textSchema), defaultValues: initial });
  const { errors } = form.formState;
  const { submit, isPending, formError } = useFormMutation(form, save, {
    onSuccess: (look) => {
      void client.invalidateQueries({ queryKey: queryKeys.looks });
      toast(`Look “${look.name}” saved.`);
      onClose();
    },
  });
  return (
    <DialogForm
      onSubmit={(event) => {
        // The dialog may be opened from the studio's form, which must not be submitted.
        event.stopPropagation();
        submit(event);
      }}
      formError={formError}
      busy={isPending}
      submitLabel="Save look"
      busyLabel="Saving..."
      onCancel={onClose}
    >
      <Field
        label="Name"
        autoComplete="off"
        maxLength={limits.lookNameCharacters}
        error={errors.name && 'Please enter a name.'}
        {...form.register('name')}
      />
      <TextAreaField label="Scene" rows={3} error={errors.scene?.message} {...form.register('scene')} />
    </DialogForm>
  );
}
