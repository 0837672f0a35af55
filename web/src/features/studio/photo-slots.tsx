import clsx from 'clsx';
import { Camera, FileImage, ImagePlus, Plus, X } from 'lucide-react';
import { type ReactNode, type Ref, type RefCallback, useRef, useState } from 'react';
import { isolateName, limits, photoFormats } from '#contract';
import { CameraButton } from '#web/ui/camera-button.tsx';
import { FieldError } from '#web/ui/field.tsx';
import { mergeRefs } from '#web/ui/merge-refs.ts';
import { Name } from '#web/ui/name.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { Photo } from './photos.ts';

interface PhotoSlotsProps {
  photos: readonly Photo[];
  /** Opens the file picker. */
  onAdd: () => void;
  /** @param files a photo that was taken now */
  onTaken: (files: File[]) => void;
  onRemove: (id: string) => void;
  error: string | undefined;
  /** Files are being dragged over the page. */
  dragging: boolean;
  /** The form's ref: an error moves the focus here. */
  addButtonRef: Ref<HTMLButtonElement>;
  /** Files that are being checked. */
  checkingCount: number;
  /** Below the slots. */
  children: ReactNode;
}

/** The four slots: the photos, the add button, and the empty slots. */
export function PhotoSlots(props: PhotoSlotsProps) {
  const { photos, onAdd, onTaken, onRemove, error, dragging, addButtonRef, checkingCount, children } = props;
  const removeButtons = useRef(new Map<string, HTMLButtonElement>());
  const addButton = useRef<HTMLButtonElement>(null);
  const emptySlots = limits.photos - photos.length - checkingCount;
  const isEmpty = photos.length + checkingCount === 0;

  const remove = (id: string, index: number) => {
    // The focused button is about to be removed: move the focus to another photo's button, or to the add button.
    const next = photos[index + 1] ?? photos[index - 1];
    (next ? removeButtons.current.get(next.id) : addButton.current)?.focus();
    onRemove(id);
  };

  return (
    <fieldset aria-labelledby="photos-label" className="min-w-0">
      <div className="mb-1.5 flex items-baseline justify-between gap-3 max-lg:sr-only">
        <span id="photos-label" className="text-sm font-semibold">
          Product images
        </span>
        <span className="text-sm text-ink-soft">
          {photos.length} of {limits.photos}
        </span>
      </div>
      <ul className="grid auto-cols-[3.5rem] grid-flow-col justify-start gap-2 lg:auto-cols-auto lg:grid-flow-row lg:grid-cols-4">
        {photos.map((photo, index) => (
          <PhotoSlot
            key={photo.id}
            photo={photo}
            onRemove={() => remove(photo.id, index)}
            removeButtonRef={(button) => {
              if (button) removeButtons.current.set(photo.id, button);
              else removeButtons.current.delete(photo.id);
            }}
          />
        ))}
        {Array.from({ length: checkingCount }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: photos that are being checked are all alike
          <CheckingSlot key={index} />
        ))}
        {emptySlots > 0 && (
          <AddPhotoSlot
            first={isEmpty}
            onAdd={onAdd}
            invalid={error !== undefined}
            dragging={dragging}
            buttonRef={mergeRefs(addButtonRef, addButton)}
          />
        )}
        {emptySlots > 0 && (
          <li
            className={clsx(
              'hidden pointer-coarse:block',
              isEmpty ? 'col-span-4' : 'aspect-square lg:hidden',
            )}
          >
            <CameraButton
              onTaken={onTaken}
              className="size-full min-h-11 items-center justify-center gap-2 rounded-field border border-line-strong bg-surface text-sm font-semibold hover:bg-sunken"
            >
              <Camera aria-hidden className="size-5 text-accent" />
              <span className={isEmpty ? undefined : 'sr-only'}>Take a photo</span>
            </CameraButton>
          </li>
        )}
        {!isEmpty &&
          Array.from({ length: emptySlots - 1 }, (_, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: empty slots are all alike
              key={index}
              aria-hidden
              className="aspect-square rounded-field border border-dashed border-line max-lg:hidden"
            />
          ))}
      </ul>
      <FieldError id="photos-error">{error}</FieldError>
      {children}
    </fieldset>
  );
}

interface PhotoSlotProps {
  photo: Photo;
  onRemove: () => void;
  removeButtonRef: RefCallback<HTMLButtonElement>;
}

function PhotoSlot({ photo, onRemove, removeButtonRef }: PhotoSlotProps) {
  const [broken, setBroken] = useState(false);
  const name = isolateName(photo.file.name);
  return (
    <li className="group relative aspect-square animate-fade-in overflow-hidden rounded-field border border-line bg-sunken">
      {photo.preview && !broken ? (
        <img
          src={photo.preview}
          alt={name}
          // Damaged, or of a type that this browser cannot show: its name instead of a broken image.
          onError={() => setBroken(true)}
          className="size-full object-cover"
        />
      ) : (
        <div className="grid size-full place-content-center justify-items-center gap-1 p-1.5 text-center">
          <FileImage aria-hidden className="size-6 text-ink-soft" />
          <Name className="line-clamp-2 text-xs leading-tight text-ink-soft">{photo.file.name}</Name>
        </div>
      )}
      <button
        type="button"
        ref={removeButtonRef}
        onClick={onRemove}
        aria-label={`Remove ${name}`}
        className="absolute top-0 right-0 grid size-11 place-items-start justify-items-end rounded-field p-1.5"
      >
        <span className="grid size-6 place-items-center rounded-full bg-ink text-page shadow-card">
          <X aria-hidden className="size-3.5" strokeWidth={2.5} />
        </span>
      </button>
    </li>
  );
}

/** A file that is being checked. */
function CheckingSlot() {
  return (
    <li className="grid aspect-square place-items-center rounded-field border border-line bg-sunken">
      <Spinner className="text-ink-soft" />
      <span className="sr-only">Checking the photo</span>
    </li>
  );
}

interface AddPhotoSlotProps {
  /** Whether there are no photos yet: the slot then takes the whole row. */
  first: boolean;
  onAdd: () => void;
  invalid: boolean;
  dragging: boolean;
  buttonRef: Ref<HTMLButtonElement>;
}

function AddPhotoSlot({ first, onAdd, invalid, dragging, buttonRef }: AddPhotoSlotProps) {
  const hintId = first ? 'photos-hint' : undefined;
  return (
    <li className={first ? 'col-span-4' : 'aspect-square'}>
      <button
        type="button"
        ref={buttonRef}
        onClick={onAdd}
        aria-describedby={invalid ? 'photos-error' : hintId}
        data-invalid={invalid ? true : undefined}
        className={clsx(
          'flex size-full flex-col items-center justify-center gap-1 rounded-field border-2 border-dashed text-sm font-semibold transition-colors hover:border-accent hover:bg-accent-wash',
          first && 'min-h-32 px-3 py-4',
          dragging && 'border-accent bg-accent-wash',
          !dragging && invalid && 'border-danger',
          !dragging && !invalid && 'border-line-strong bg-surface',
        )}
      >
        {first ? (
          <>
            <ImagePlus aria-hidden className="mb-1 size-7 text-accent" strokeWidth={1.75} />
            <span>{dragging ? 'Drop your photos' : 'Add product photos'}</span>
            <span id="photos-hint" className="text-xs leading-snug font-normal text-ink-soft">
              Choose, drop or paste up to {limits.photos}. {photoFormats}, 20 MB each.
            </span>
          </>
        ) : (
          <>
            <Plus aria-hidden className="size-5 text-accent" />
            <span className="sr-only">Add another product photo</span>
          </>
        )}
      </button>
    </li>
  );
}
