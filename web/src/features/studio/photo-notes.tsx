import { TriangleAlert } from 'lucide-react';
import { type PhotoSubject, photoSubjects, photoWarningTexts } from '#contract';
import { Name } from '#web/ui/name.tsx';
import type { Photo } from './photos.ts';
import type { PhotoWarnings } from './use-photos.ts';

/** What may spoil the image, for each photo. */
export function PhotoWarningList({
  photos,
  warnings,
}: {
  photos: readonly Photo[];
  warnings: PhotoWarnings;
}) {
  const lines = photos.flatMap(({ id, file }) =>
    (warnings[id] ?? []).map((warning) => ({ key: `${id} ${warning}`, name: file.name, warning })),
  );
  return (
    <div role="status">
      <ul className="grid gap-1.5 not-empty:mt-2">
        {lines.map(({ key, name, warning }) => (
          <li key={key} className="flex animate-fade-in items-start gap-1.5 text-sm text-ink-soft">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
            <span>
              <span className="font-medium text-ink">
                “<Name>{name}</Name>”
              </span>{' '}
              {photoWarningTexts[warning]}
            </span>
          </li>
        ))}
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
export function PhotoSubjectSwitch({ value, onChange }: PhotoSubjectSwitchProps) {
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
