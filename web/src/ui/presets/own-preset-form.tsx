import { useQueryClient } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { exportFormatNames, limits, type OwnPreset, ownPresetFormats } from '#contract';
import { changeOwnPreset, createOwnPreset } from '#web/lib/own-presets.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { DialogForm } from '../dialog.tsx';
import { Field } from '../field.tsx';
import { NamePattern } from '../name-pattern.tsx';
import { LabelledSelect } from '../select.tsx';
import { namePatterns, placeholderList } from './name-patterns.ts';
import { changesOf, type FormValues, formResolver, presetOf, valuesOf } from './own-preset-values.ts';

const formatOptions = ownPresetFormats.map((value) => ({ value, label: exportFormatNames[value].name }));
/** The first leaves the choice to the export. */
const patterns = [{ value: '', label: 'As chosen for the export' }, ...namePatterns];

interface OwnPresetFormProps {
  /** Null for a new one. */
  preset: OwnPreset | null;
  onSaved: (preset: OwnPreset) => void;
  onClose: () => void;
}

/** Makes or changes an own preset. */
export function OwnPresetForm({ preset, onSaved, onClose }: OwnPresetFormProps) {
  const client = useQueryClient();
  const opened = valuesOf(preset);
  const form = useForm<FormValues>({ resolver: formResolver(opened), defaultValues: opened });
  const mutation = useFormMutation(
    form,
    (values) =>
      preset
        ? changeOwnPreset(preset.id, changesOf(preset, presetOf(values)))
        : createOwnPreset(presetOf(values)),
    {
      fields: { PRESET_NAME_TAKEN: 'name' },
      onSuccess: (saved) => {
        client.setQueryData<OwnPreset[]>(queryKeys.ownPresets, (own = []) => [
          ...own.filter(({ id }) => id !== saved.id),
          saved,
        ]);
        onSaved(saved);
        onClose();
      },
      onError: () => client.invalidateQueries({ queryKey: queryKeys.ownPresets }),
    },
  );
  const { control, formState } = form;
  const [format, background] = form.watch(['format', 'background']);
  const backgroundOptions = [
    { value: 'white' as const, label: 'Pure white' },
    { value: 'colour' as const, label: 'A colour' },
    { value: 'transparent' as const, label: 'Transparent', disabled: format === 'jpeg' },
    { value: 'keep' as const, label: 'As in the image' },
  ];
  return (
    <DialogForm mutation={mutation} submitLabel="Save preset" onCancel={onClose}>
      <Field
        label="Name"
        autoComplete="off"
        maxLength={limits.ownPresetNameCharacters}
        {...registerField(form, 'name')}
      />
      <div className="grid grid-cols-2 items-start gap-4">
        <Field label="Width in px" inputMode="numeric" autoComplete="off" {...registerField(form, 'width')} />
        <Field
          label="Height in px"
          inputMode="numeric"
          autoComplete="off"
          {...registerField(form, 'height')}
        />
        <Controller
          control={control}
          name="format"
          render={({ field: { value, onChange } }) => (
            <LabelledSelect label="File type" value={value} options={formatOptions} onChange={onChange} />
          )}
        />
        {format !== 'png' && (
          <Field
            label={`Quality (${limits.ownPresetQualityLeast}–100)`}
            inputMode="numeric"
            autoComplete="off"
            {...registerField(form, 'quality')}
          />
        )}
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Controller
          control={control}
          name="background"
          render={({ field: { value, onChange } }) => (
            <LabelledSelect label="Background" value={value} options={backgroundOptions} onChange={onChange}>
              {formState.errors.background?.message && (
                <span role="alert" className="font-medium text-danger">
                  {formState.errors.background.message}
                </span>
              )}
            </LabelledSelect>
          )}
        />
        {background === 'colour' && (
          <Field
            label="Colour"
            autoComplete="off"
            spellCheck={false}
            {...registerField(form, 'colour')}
            trailing={
              <input
                type="color"
                aria-label="Pick a colour"
                value={/^#[0-9a-f]{6}$/i.test(form.watch('colour')) ? form.watch('colour') : '#ffffff'}
                onChange={(event) => form.setValue('colour', event.target.value, { shouldValidate: true })}
                className="absolute top-0 right-0 size-11 cursor-pointer rounded-field bg-transparent p-2"
              />
            }
          />
        )}
      </div>
      {background === 'keep' ? (
        <p className="text-sm text-ink-soft">
          A scene is cropped to the ratio of the preset. Around a product on white or without background, more
          of it is added.
        </p>
      ) : (
        <Field
          label="Product takes, in % of the frame (optional)"
          inputMode="numeric"
          autoComplete="off"
          placeholder="85"
          hint="Of the width or the height, whichever it reaches first. Empty: as in the image. In front of a scene, the background stays as it is."
          {...registerField(form, 'productShare')}
        />
      )}
      <Controller
        control={control}
        name="namePattern"
        render={({ field: { value, onChange } }) => (
          <NamePattern
            patterns={patterns}
            value={value}
            onChange={onChange}
            renderHint={() => null}
            own={{
              maxLength: limits.exportNameCharacters,
              hint: `${placeholderList} are replaced.`,
              error: formState.errors.namePattern?.message,
            }}
          />
        )}
      />
    </DialogForm>
  );
}
