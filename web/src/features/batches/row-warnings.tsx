import { TriangleAlert } from 'lucide-react';
import { photoWarningTexts } from '#contract';
import { Name } from '#web/ui/name.tsx';
import { baseName, type DroppedPhoto } from './photo-index.ts';
import type { FileWarnings } from './use-photo-checks.ts';

/** What may spoil the images of a row: nothing that stops it. */
export function RowWarnings({
  photos,
  warnings,
}: {
  photos: readonly DroppedPhoto[];
  warnings: FileWarnings;
}) {
  const lines = photos.flatMap(({ path, file }) =>
    (warnings.get(file) ?? []).map((warning) => ({ path, warning })),
  );
  if (lines.length === 0) return null;
  return (
    <ul className="col-span-full grid gap-1">
      {lines.map(({ path, warning }) => (
        <li key={`${path} ${warning}`} className="flex items-start gap-1.5 text-sm text-ink-soft">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
          <span className="min-w-0 break-words">
            <span className="font-medium text-ink">
              “<Name>{baseName(path)}</Name>”
            </span>{' '}
            {photoWarningTexts[warning]}
          </span>
        </li>
      ))}
    </ul>
  );
}
