import { type PhotoSubject, photoSubjects } from '#contract';
import { PhotoSlots } from './photo-slots.tsx';
import type { Photo } from './photos.ts';
import { usePhotoWarningLines } from './use-photo-warning-lines.ts';
import type { PhotoWarnings } from './use-photos.ts';
import type { useStudioForm } from './use-studio-form.ts';

interface PhotoSectionProps {
  studioForm: ReturnType<typeof useStudioForm>;
}

/** The form's photos with their warnings, and what several of them show. */
export function PhotoSection({ studioForm }: PhotoSectionProps) {
  const { form, photosField, removePhoto, photoWarnings, checkingPhotos, dropzone } = studioForm;
  return (
    <PhotoSlots
      photos={photosField.value}
      onAdd={dropzone.open}
      onTaken={studioForm.addPhotos}
      onRemove={removePhoto}
      error={form.formState.errors.photos?.message}
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
  );
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
    <fieldset className="mt-3 grid gap-1 rounded-field bg-sunken p-1 sm:max-lg:grid-cols-2">
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
