import { TriangleAlert } from 'lucide-react';
import { type GenerationView, photoWarningTexts } from '#contract';
import { Name } from '#web/ui/name.tsx';
import type { Photo } from './photos.ts';
import type { PhotoWarnings } from './use-photos.ts';

interface PhotoWarningItemsProps {
  photos: readonly Photo[];
  warnings: PhotoWarnings;
}

/** What may spoil the image, for each photo of the form. */
export function PhotoWarningItems({ photos, warnings }: PhotoWarningItemsProps) {
  const lines = photos.flatMap(({ id, file }) =>
    (warnings[id] ?? []).map((warning) => ({ key: `${id} ${warning}`, name: file.name, warning })),
  );
  return lines.map(({ key, name, warning }) => (
    <li key={key} className="flex animate-fade-in items-start gap-1.5 text-sm text-ink-soft">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
      <span>
        <span className="font-medium text-ink">
          “<Name>{name}</Name>”
        </span>{' '}
        {photoWarningTexts[warning]}
      </span>
    </li>
  ));
}

/** What the server found out about the photos: the image may suffer from it. */
export function PhotoNotes({ view }: { view: GenerationView }) {
  const lines = view.photos.flatMap(({ warnings }, index) =>
    warnings.map((warning) => `Photo ${index + 1} ${photoWarningTexts[warning]}`),
  );
  return lines.map((line) => (
    <p key={line} className="text-sm text-ink-soft">
      {line}
    </p>
  ));
}
