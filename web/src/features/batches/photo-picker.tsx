import clsx from 'clsx';
import { useState } from 'react';
import { limits } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Name } from '#web/ui/name.tsx';
import { baseName, type DroppedPhoto } from './photo-index.ts';
import { PhotoThumbnail } from './row-photos.tsx';
import { PhotoButtons } from './table-inputs.tsx';

interface PhotoPickerProps {
  /** All photos that were dropped. */
  photos: readonly DroppedPhoto[];
  /** Those of the row. */
  chosen: readonly DroppedPhoto[];
  /** Adds files to the dropped photos. */
  onFiles: (files: readonly File[]) => void;
  /** Called with the paths of the photos that the row is to have. */
  onDone: (paths: readonly string[]) => void;
  onClose: () => void;
}

/** Photos that are shown at once. */
const maxShown = 60;

/** Chooses the photos of a row from those that were dropped. */
export function PhotoPicker({ photos, chosen, onFiles, onDone, onClose }: PhotoPickerProps) {
  const [search, setSearch] = useState('');
  const [paths, setPaths] = useState<readonly string[]>(chosen.map(({ path }) => path));
  const wanted = search.trim().toLowerCase();
  const found = photos
    .filter(({ path }) => path.toLowerCase().includes(wanted))
    .toSorted((one, other) => one.path.localeCompare(other.path, 'en', { numeric: true }));
  const isFull = paths.length >= limits.photos;
  const toggle = (path: string) =>
    setPaths((before) =>
      before.includes(path) ? before.filter((each) => each !== path) : [...before, path],
    );
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Photos of this product"
      description={`Up to ${limits.photos}.`}
    >
      <div className="mb-4 flex flex-wrap items-end gap-3">
        {photos.length > 0 && (
          <Field
            label="Search"
            type="search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="min-w-48 flex-1"
          />
        )}
        <PhotoButtons onFiles={onFiles} />
      </div>
      {photos.length === 0 && <p className="text-ink-soft">Choose the photos of your products first.</p>}
      <ul className="grid max-h-[50dvh] grid-cols-3 gap-3 overflow-y-auto p-1 sm:grid-cols-6">
        {found.slice(0, maxShown).map((photo) => (
          <li key={photo.path}>
            <label
              className={clsx(
                'block rounded-field p-1 has-disabled:opacity-50',
                paths.includes(photo.path) && 'ring-2 ring-accent',
              )}
            >
              <PhotoThumbnail photo={photo} />
              <span className="mt-1 flex items-center gap-1.5 text-xs">
                <input
                  type="checkbox"
                  checked={paths.includes(photo.path)}
                  disabled={isFull && !paths.includes(photo.path)}
                  onChange={() => toggle(photo.path)}
                  className="size-4 accent-accent"
                />
                <Name className="truncate">{baseName(photo.path)}</Name>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {found.length > maxShown && (
        <p className="mt-2 text-sm text-ink-soft">
          {found.length - maxShown} more. Search for a name to find them.
        </p>
      )}
      <DialogButtons>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={() => onDone(paths)}>Use these photos</Button>
      </DialogButtons>
    </Dialog>
  );
}
