import clsx from 'clsx';
import { FileImage, ImagePlus, Plus, X } from 'lucide-react';
import { type Ref, useRef } from 'react';
import { limits } from '#contract';
import { FieldError } from '#web/ui/field.tsx';
import type { Photo } from './photos.ts';

interface PhotoSlotsProps {
  photos: readonly Photo[];
  /** Opens the file picker. */
  onAdd: () => void;
  onRemove: (id: string) => void;
  error: string | undefined;
  /** Files are being dragged over the page. */
  dropping: boolean;
  /** The form's ref: an error moves the focus here. */
  addRef: Ref<HTMLButtonElement>;
}

/** The four slots: photos with their remove buttons, then the one to add, then those still empty. */
export function PhotoSlots({ photos, onAdd, onRemove, error, dropping, addRef }: PhotoSlotsProps) {
  const list = useRef<HTMLUListElement>(null);
  const add = useRef<HTMLButtonElement | null>(null);
  const empty = limits.photos - photos.length;

  const remove = (id: string, index: number) => {
    onRemove(id);
    // The focus would be lost with the button: it goes to the next remove button, else to the add button.
    requestAnimationFrame(() => {
      const buttons = list.current?.querySelectorAll<HTMLButtonElement>('[data-remove]') ?? [];
      (buttons[Math.min(index, buttons.length - 1)] ?? add.current)?.focus();
    });
  };

  return (
    <fieldset aria-labelledby="photos-label" className="min-w-0">
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <span id="photos-label" className="text-sm font-semibold">
          Product images
        </span>
        <span className="text-sm text-ink-soft">
          {photos.length} of {limits.photos}
        </span>
      </div>
      <ul ref={list} className="grid grid-cols-4 gap-2">
        {photos.map((photo, index) => (
          <li
            key={photo.id}
            className="group relative aspect-square animate-come-in overflow-hidden rounded-field border border-line bg-sunken"
          >
            {photo.preview ? (
              <img src={photo.preview} alt={photo.file.name} className="size-full object-cover" />
            ) : (
              <div className="grid size-full place-content-center justify-items-center gap-1 p-1.5 text-center">
                <FileImage aria-hidden className="size-6 text-ink-soft" />
                <span className="line-clamp-2 text-xs leading-tight text-ink-soft">{photo.file.name}</span>
              </div>
            )}
            <button
              type="button"
              data-remove
              onClick={() => remove(photo.id, index)}
              aria-label={`Remove ${photo.file.name}`}
              className="absolute top-0 right-0 grid size-11 place-items-start justify-items-end rounded-field p-1.5"
            >
              <span className="grid size-6 place-items-center rounded-full bg-ink text-page shadow-card">
                <X aria-hidden className="size-3.5" strokeWidth={2.5} />
              </span>
            </button>
          </li>
        ))}
        {empty > 0 && (
          <li className={clsx(photos.length === 0 ? 'col-span-4' : 'aspect-square')}>
            <button
              type="button"
              ref={(button) => {
                add.current = button;
                if (typeof addRef === 'function') addRef(button);
                else if (addRef) addRef.current = button;
              }}
              onClick={onAdd}
              aria-describedby={error ? 'photos-error' : photos.length === 0 ? 'photos-hint' : undefined}
              data-invalid={error ? true : undefined}
              className={clsx(
                'flex size-full flex-col items-center justify-center gap-1 rounded-field border-2 border-dashed text-sm font-semibold transition-colors hover:border-accent hover:bg-accent-wash',
                photos.length === 0 && 'min-h-32 px-3 py-4',
                dropping
                  ? 'border-accent bg-accent-wash'
                  : error
                    ? 'border-danger'
                    : 'border-line-strong bg-surface',
              )}
            >
              {photos.length === 0 ? (
                <>
                  <ImagePlus aria-hidden className="mb-1 size-7 text-accent" strokeWidth={1.75} />
                  <span>{dropping ? 'Drop your photos' : 'Add product photos'}</span>
                  <span id="photos-hint" className="text-xs leading-snug font-normal text-ink-soft">
                    Choose, drop or paste up to {limits.photos}. JPEG, PNG, WebP, TIFF or AVIF, 20 MB each.
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
        )}
        {photos.length > 0 &&
          Array.from({ length: empty - 1 }, (_, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: empty slots are all alike
              key={index}
              aria-hidden
              className="aspect-square rounded-field border border-dashed border-line"
            />
          ))}
      </ul>
      <FieldError id="photos-error">{error}</FieldError>
    </fieldset>
  );
}
