import clsx from 'clsx';
import { type SceneTemplate, sceneTemplates } from '#contract';
import { templatePictures } from '#web/pictures/templates.ts';
import { Picture } from '#web/ui/picture.tsx';

interface SceneTemplatesProps {
  /** The template that the description starts with. */
  selected: SceneTemplate | undefined;
  onSelect: (template: SceneTemplate) => void;
  /** The id of the heading. */
  labelledBy: string;
}

/** The four templates with their thumbnails. */
export function SceneTemplates({ selected, onSelect, labelledBy }: SceneTemplatesProps) {
  return (
    <ul aria-labelledby={labelledBy} className="grid grid-cols-2 gap-2">
      {sceneTemplates.map((name) => (
        <li key={name}>
          <button
            type="button"
            aria-pressed={selected === name}
            onClick={() => onSelect(name)}
            className={clsx(
              'flex h-full min-h-11 w-full items-center gap-2 rounded-field border p-1.5 text-left text-xs leading-snug font-medium transition-colors',
              selected === name
                ? 'border-accent bg-accent-wash'
                : 'border-line bg-surface hover:border-line-strong hover:bg-sunken',
            )}
          >
            <span className="block size-11 shrink-0">
              <Picture
                picture={templatePictures[name]}
                alt=""
                sizes="44px"
                loading="eager"
                className="size-full rounded-[0.5rem] object-cover"
              />
            </span>
            <span className="min-w-0">{name}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
