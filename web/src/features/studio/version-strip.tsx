import type { GenerationView } from '#contract';
import { isolateName } from '#contract';
import { useVersions } from '#web/lib/generations.ts';
import { Spinner } from '#web/ui/spinner.tsx';

interface VersionStripProps {
  /** The version that is shown. */
  view: GenerationView;
  onShow: (id: string) => void;
}

/** The versions of an image, oldest first; nothing while there is only one. */
export function VersionStrip({ view, onShow }: VersionStripProps) {
  const versions = useVersions(view.rootId);
  if (versions.length < 2) return null;
  return (
    <nav aria-label="Versions of this image" className="mb-4">
      <ol className="flex gap-2 overflow-x-auto p-1">
        {versions.map((version, index) => {
          const image = version.edits ?? version.image;
          const name = isolateName(version.change?.instruction ?? 'First version');
          return (
            <li key={version.id}>
              <button
                type="button"
                title={name}
                aria-label={`Version ${index + 1}: ${name}`}
                aria-current={version.id === view.id ? 'true' : undefined}
                onClick={() => onShow(version.id)}
                className="sweep grid size-14 place-items-center overflow-hidden rounded-field ring-1 ring-line hover:ring-line-strong aria-current:ring-2 aria-current:ring-accent"
              >
                {image ? (
                  <img src={image.thumbnailUrl} alt="" className="size-full object-cover" />
                ) : version.endedAt === null ? (
                  <Spinner className="text-accent" />
                ) : (
                  <span aria-hidden>–</span>
                )}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
