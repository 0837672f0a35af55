import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { z } from 'zod';
import {
  createLookSchema,
  type ImageOptions,
  imageOptionsOf,
  imageOptionsSchema,
  isolateName,
  type LookView,
  limits,
  sceneTemplates,
} from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { DialogForm } from '#web/ui/dialog.tsx';
import { Field, TextAreaField } from '#web/ui/field.tsx';
import { OptionFields } from '#web/ui/options/option-fields.tsx';
import { PresetChoice } from '#web/ui/presets/preset-choice.tsx';
import { useChosenPresets } from '#web/ui/presets/use-chosen-presets.ts';
import { LabelledSelect } from '#web/ui/select.tsx';

const { name, scene } = createLookSchema.shape;
const lookSchema = z.object({
  name,
  scene,
  /** Empty for none. */
  template: z.enum(['', ...sceneTemplates]),
  options: imageOptionsSchema,
  numImages: z.number().int(),
});

/** What the form edits of a look. */
type LookFields = ImageOptions &
  Pick<LookView, 'name' | 'scene' | 'template' | 'numImages' | 'exportPresets'>;

interface LookFormProps {
  initial: LookFields;
  /** Saves the look with these fields. @throws ApiError */
  save: (look: LookFields) => Promise<LookView>;
  onClose: () => void;
}

const templateOptions = [
  { value: '' as const, label: 'No template' },
  ...sceneTemplates.map((value) => ({ value, label: value })),
];
const countOptions = Array.from({ length: limits.imagesPerRequest }, (_, index) => ({
  value: index + 1,
  label: String(index + 1),
}));

/** A look that is saved or edited: name and scene, and the rest of it below. */
export function LookForm({ initial, save, onClose }: LookFormProps) {
  const client = useQueryClient();
  const { template, exportPresets, ...others } = initial;
  const choice = useChosenPresets(() => exportPresets);
  const form = useForm<z.input<typeof lookSchema>, unknown, z.output<typeof lookSchema>>({
    resolver: zodResolver(lookSchema),
    defaultValues: { ...others, template: template ?? '', options: imageOptionsOf(initial) },
  });
  const { control, formState, register } = form;
  const mutation = useFormMutation(
    form,
    ({ options, template: chosen, ...fields }) =>
      save({ ...fields, ...options, template: chosen || null, exportPresets: choice.ids }),
    {
      onSuccess: (look) => {
        void client.invalidateQueries({ queryKey: queryKeys.looks });
        toast(`Look “${isolateName(look.name)}” saved.`);
        onClose();
      },
      // One that was chosen may be gone.
      onError: () => client.invalidateQueries({ queryKey: queryKeys.ownPresets }),
    },
  );
  return (
    <DialogForm mutation={mutation} submitLabel="Save look" onCancel={onClose}>
      <Field
        label="Name"
        autoComplete="off"
        maxLength={limits.lookNameCharacters}
        error={formState.errors.name && 'Please enter a name.'}
        {...register('name')}
      />
      <TextAreaField label="Scene" rows={2} {...registerField(form, 'scene')} />
      <details>
        <summary className="min-h-11 cursor-pointer py-2 font-semibold">Options and exports</summary>
        <div className="mt-2 grid gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <Controller
              control={control}
              name="template"
              render={({ field: { value, onChange } }) => (
                <LabelledSelect
                  label="Template"
                  value={value}
                  options={templateOptions}
                  onChange={onChange}
                />
              )}
            />
            <Controller
              control={control}
              name="numImages"
              render={({ field: { value, onChange } }) => (
                <LabelledSelect label="Images" value={value} options={countOptions} onChange={onChange} />
              )}
            />
          </div>
          <Controller
            control={control}
            name="options"
            render={({ field: { value, onChange } }) => (
              <OptionFields options={value} onChange={onChange} hidden={['background']} />
            )}
          />
          <PresetChoice legend="Default export formats" choice={choice} />
        </div>
      </details>
    </DialogForm>
  );
}
