import { FileImage, ImageOff, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { isolateName, limits } from '#contract';
import { Name } from '#web/ui/name.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { baseName, type DroppedPhoto } from './photo-index.ts';
import type { TableContext } from './read-row.ts';

interface RowPhotosProps {
  /** As the row names them. */
  names: readonly string[];
  /** Number of the row, from 1. */
  row: number;
  context: TableContext;
  fault: string | undefined;
  stateId: string;
  /** Opens the picker. */
  onChoose: () => void;
  onRemove: (name: string) => void;
}

/** The photos of a row: those that were dropped as pictures, the others as their names. */
export function RowPhotos({ names, row, context, fault, stateId, onChoose, onRemove }: RowPhotosProps) {
  const isFull = names.length >= limits.photos;
  return (
    <ul className="flex flex-wrap gap-1.5 max-lg:gap-2.5 lg:flex-nowrap lg:overflow-x-auto lg:py-1">
      {names.map((name) => (
        <li key={name} className="group relative size-14 shrink-0 lg:size-9">
          <RowPhoto
            name={name}
            photo={context.photos.find(name)}
            isFetching={context.addresses.get(name) === 'fetching'}
          />
          <button
            type="button"
            onClick={() => onRemove(name)}
            aria-label={`Remove photo ${isolateName(name)} of row ${row}`}
            title={`Remove ${isolateName(baseName(name))}`}
            className="absolute -top-1.5 -right-1.5 grid size-8 place-items-start justify-items-end p-1 lg:-top-1 lg:-right-1 lg:size-6 lg:p-0 lg:opacity-0 lg:group-focus-within:opacity-100 lg:group-hover:opacity-100"
          >
            <span className="grid size-4.5 place-items-center rounded-full bg-ink text-page shadow-card">
              <X aria-hidden className="size-3" strokeWidth={2.5} />
            </span>
          </button>
        </li>
      ))}
      {!isFull && (
        <li>
          <button
            type="button"
            onClick={onChoose}
            aria-label={`Choose photos of row ${row}`}
            aria-invalid={fault && names.length === 0 ? true : undefined}
            aria-describedby={fault ? stateId : undefined}
            className="grid size-14 place-items-center rounded-lg border border-dashed border-line-strong text-accent hover:border-accent hover:bg-accent-wash aria-invalid:border-danger lg:size-9"
          >
            <Plus aria-hidden className="size-4.5" />
          </button>
        </li>
      )}
    </ul>
  );
}

interface RowPhotoProps {
  name: string;
  photo: DroppedPhoto | 'several' | null;
  /** Whether it is on its way from its address. */
  isFetching: boolean;
}

function RowPhoto({ name, photo, isFetching }: RowPhotoProps) {
  if (photo !== null && photo !== 'several') return <PhotoThumbnail photo={photo} />;
  if (isFetching) {
    return (
      <div className="grid size-full place-content-center rounded-lg border border-line bg-sunken">
        <Spinner className="size-4" />
        <Name className="sr-only">{baseName(name)}</Name>
      </div>
    );
  }
  return (
    <div
      title={isolateName(baseName(name))}
      className="grid size-full place-content-center justify-items-center gap-0.5 overflow-hidden rounded-lg border border-danger bg-danger-wash p-1 text-center text-danger"
    >
      <ImageOff aria-hidden className="size-4" />
      <Name className="line-clamp-1 text-xs leading-tight break-all lg:sr-only">{baseName(name)}</Name>
    </div>
  );
}

/** A dropped photo; its name where the browser cannot show it. */
export function PhotoThumbnail({ photo: { url, path } }: { photo: DroppedPhoto }) {
  const [broken, setBroken] = useState(false);
  return (
    <div className="grid aspect-square size-full place-content-center overflow-hidden rounded-lg border border-line bg-sunken text-center">
      {broken ? (
        <span
          title={isolateName(baseName(path))}
          className="grid justify-items-center gap-1 p-1 text-xs leading-tight text-ink-soft"
        >
          <FileImage aria-hidden className="size-4" />
          <Name className="line-clamp-2 break-all in-[li]:lg:sr-only">{baseName(path)}</Name>
        </span>
      ) : (
        <img
          src={url}
          alt={isolateName(baseName(path))}
          title={isolateName(baseName(path))}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
          className="size-full object-cover"
        />
      )}
    </div>
  );
}
