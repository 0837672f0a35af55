import type { FormEventHandler, ReactNode } from 'react';
import { limits, type PhotoSubject, photoSubjects } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import type { StudioOptions } from '#web/lib/studio-options.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { usableOptions } from '#web/ui/options/usable-options.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { OptionsSection } from './options-section.tsx';
import { PhotoSlots } from './photo-slots.tsx';
import type { Photo } from './photos.ts';
import { SceneField } from './scene-field.tsx';
import { usePhotoWarningLines } from './use-photo-warning-lines.ts';
import type { PhotoWarnings } from './use-photos.ts';
import type { useStudioForm } from './use-studio-form.ts';

/** Shows the choice of the project that new images are added to. @param id null for the default project */
export type RenderProjectPicker = (id: string | null, onChange: (id: string | null) => void) => ReactNode;

/** Shows the button of the saved looks. @param onFill puts description and options into the form */
export type RenderLooksButton = (
  prompt: string,
  options: StudioOptions,
  onFill: (prompt: string, options: StudioOptions) => void,
) => ReactNode;

interface GenerationFormProps {
  studioForm: ReturnType<typeof useStudioForm>;
  onSubmit: FormEventHandler;
  /** Why the last submission failed. */
  error: Error | null;
  onClearError: () => void;
  /** A generation is being submitted or made. */
  busy: boolean;
  renderLooksButton: RenderLooksButton;
  renderProjectPicker: RenderProjectPicker;
  /** Above the submit button. */
  planMeter: ReactNode;
  /** Replaces plan meter and submit button while the plan allows no image; null otherwise. */
  planGate: ReactNode;
}

/** The form for a new image: photos, scene and product name. */
export function GenerationForm(props: GenerationFormProps) {
  const {
    studioForm,
    onSubmit,
    error,
    onClearError,
    busy,
    renderLooksButton,
    renderProjectPicker,
    planMeter,
    planGate,
  } = props;
  const { form, photosField, productNameInput, removePhoto, photoWarnings, checkingPhotos, dropzone } =
    studioForm;
  const { errors, isSubmitted } = form.formState;
  const prompt = form.watch('prompt');
  // What is sent: the plan or the balance may have changed since it was chosen.
  const options = usableOptions(form.watch('options'), studioForm.optionLimits);
  const setPrompt = (description: string) =>
    form.setValue('prompt', description, { shouldDirty: true, shouldValidate: isSubmitted });
  return (
    <form
      noValidate
      aria-label="New product image"
      onSubmit={onSubmit}
      onChange={() => error && onClearError()}
      className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-card border border-line bg-surface p-4 shadow-card sm:p-6 lg:sticky lg:top-20 lg:row-span-2 lg:max-h-[calc(100dvh-var(--panel-top,5rem)-1rem)] lg:overflow-y-auto"
    >
      <PhotoSlots
        photos={photosField.value}
        onAdd={dropzone.open}
        onRemove={removePhoto}
        error={errors.photos?.message}
        dragging={dropzone.isDragActive}
        addButtonRef={photosField.ref}
        checkingCount={checkingPhotos}
      >
        <PhotoWarningList photos={photosField.value} warnings={photoWarnings} />
        {photosField.value.length > 1 && (
          <PhotoSubjectSwitch
            value={form.watch('photosShow') ?? 'one-product'}
            onChange={(photosShow) => form.setValue('photosShow', photosShow, { shouldDirty: true })}
          />
        )}
      </PhotoSlots>
      <SceneField
        input={form.register('prompt')}
        description={prompt}
        error={errors.prompt?.message}
        onChange={setPrompt}
        looksButton={renderLooksButton(prompt, options, (description, next) => {
          setPrompt(description);
          studioForm.changeOptions(next);
        })}
      />
      <Field
        label="Product name (optional)"
        autoComplete="off"
        maxLength={limits.productNameCharacters}
        hint="Used as the file name."
        error={errors.productName?.message}
        {...productNameInput}
      />
      {renderProjectPicker(options.projectId, (projectId) =>
        studioForm.changeOptions({ ...options, projectId }),
      )}
      <OptionsSection options={options} {...studioForm.optionLimits} onChange={studioForm.changeOptions} />
      {error && !planGate && (
        <Notice tone="danger" scrollIntoView>
          {messageOf(error)}
        </Notice>
      )}
      <div className="fixed inset-x-0 bottom-0 z-20 grid gap-3 border-t border-line bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] lg:sticky lg:inset-x-auto lg:-bottom-6 lg:-mx-6 lg:-mt-2 lg:-mb-6 lg:rounded-b-card lg:px-6 lg:pb-6">
        {planGate ?? (
          <>
            {planMeter}
            <Button type="submit" disabled={busy} className="w-full">
              {busy && <Spinner />}
              {busy ? 'Generating...' : generateText(options.numImages)}
            </Button>
          </>
        )}
      </div>
    </form>
  );
}

function generateText(numImages: number): string {
  return numImages === 1 ? 'Generate Image' : `Generate ${numImages} Images`;
}

/** What may spoil the image, for each photo. */
function PhotoWarningList({ photos, warnings }: { photos: readonly Photo[]; warnings: PhotoWarnings }) {
  const lines = usePhotoWarningLines(photos.some(({ id }) => (warnings[id] ?? []).length > 0));
  return (
    <div role="status">
      <ul className="grid gap-1.5 not-empty:mt-2">
        {lines && <lines.PhotoWarningItems photos={photos} warnings={warnings} />}
      </ul>
    </div>
  );
}

const subjectLabels: Readonly<Record<PhotoSubject, string>> = {
  'one-product': 'One product, several angles',
  'several-products': 'Several products in one picture',
};

interface PhotoSubjectSwitchProps {
  value: PhotoSubject;
  onChange: (value: PhotoSubject) => void;
}

/** Chooses what several photos show. */
function PhotoSubjectSwitch({ value, onChange }: PhotoSubjectSwitchProps) {
  return (
    <fieldset className="mt-3 grid gap-1 rounded-field bg-sunken p-1 sm:grid-cols-2 lg:grid-cols-1">
      <legend className="sr-only">What do the photos show?</legend>
      {photoSubjects.map((subject) => (
        <label
          key={subject}
          className="flex min-h-11 items-center gap-2.5 rounded-field px-3 text-sm has-checked:bg-surface has-checked:font-semibold has-checked:shadow-card has-focus-visible:outline-[2.5px] has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="photos-show"
            value={subject}
            checked={value === subject}
            onChange={() => onChange(subject)}
            className="accent-accent"
          />
          {subjectLabels[subject]}
        </label>
      ))}
    </fieldset>
  );
}
