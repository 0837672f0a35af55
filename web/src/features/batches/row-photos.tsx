import { FileImage, ImageOff, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { isolateName, limits } from '#contract';
import { Name } from '#web/ui/name.tsx';
import { CellText } from './cell-fields.tsx';
import { baseName, type DroppedPhoto, type PhotoIndex } from './photo-index.ts';

interface RowPhotosProps {
  /** As the row names them. */
  names: readonly string[];
  /** Number of the row, from 1. */
  row: number;
  index: PhotoIndex;
  fault: string | undefined;
  /** Opens the picker. */
  onChoose: () => void;
  onRemove: (name: string) => void;
}

/** The photos of a row: those that were dropped as pictures, the others as their names. */
export function RowPhotos({ names, row, index, fault, onChoose, onRemove }: RowPhotosProps) {
  const isFull = names.length >= limits.photos;
  return (
    <div>
      <p className="mb-1 text-xs font-semibold text-ink-soft">Photos</p>
      <ul className="grid grid-cols-4 gap-2 lg:grid-cols-2">
        {names.map((name) => (
          <li key={name} className="relative">
            <RowPhoto name={name} photo={index.find(name)} />
            <button
              type="button"
              onClick={() => onRemove(name)}
              aria-label={`Remove photo ${isolateName(name)} of row ${row}`}
              className="absolute -top-1 -right-1 grid size-9 place-items-start justify-items-end p-1"
            >
              <span className="grid size-5 place-items-center rounded-full bg-ink text-page shadow-card">
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
              className="grid aspect-square w-full place-items-center rounded-field border-2 border-dashed border-line-strong text-accent hover:border-accent hover:bg-accent-wash"
            >
              <Plus aria-hidden className="size-5" />
            </button>
          </li>
        )}
      </ul>
      <CellText fault={fault} />
    </div>
  );
}

function RowPhoto({ name, photo }: { name: string; photo: DroppedPhoto | 'several' | null }) {
  if (photo !== null && photo !== 'several') return <PhotoThumbnail photo={photo} />;
  return (
    <div className="grid aspect-square place-content-center justify-items-center gap-1 overflow-hidden rounded-field border border-danger bg-danger-wash p-1.5 text-center text-danger">
      <ImageOff aria-hidden className="size-4" />
      <Name className="line-clamp-2 text-xs leading-tight break-all">{baseName(name)}</Name>
    </div>
  );
}

/** A dropped photo; its name where the browser cannot show it. */
export function PhotoThumbnail({ photo: { url, path } }: { photo: DroppedPhoto }) {
  const [broken, setBroken] = useState(false);
  return (
    <div className="grid aspect-square place-content-center overflow-hidden rounded-field border border-line bg-sunken text-center">
      {broken ? (
        <span className="grid justify-items-center gap-1 p-1.5 text-xs leading-tight text-ink-soft">
          <FileImage aria-hidden className="size-4" />
          <Name className="line-clamp-2 break-all">{baseName(path)}</Name>
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
