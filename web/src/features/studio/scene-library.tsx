import clsx from 'clsx';
import { Tabs } from 'radix-ui';
import { type SceneId, sceneGroups, sceneLibrary } from '#contract';
import { scenePictures } from '#web/pictures/scenes.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Picture } from '#web/ui/picture.tsx';

interface SceneLibraryProps {
  open: boolean;
  onClose: () => void;
  /** The scene whose words are in the description. */
  selected: SceneId | undefined;
  /** Called with the chosen scene; also with the selected one, to take it out. */
  onChoose: (id: SceneId) => void;
}

/** The scene library: illustrated scenes by group. It is loaded when it is first opened. */
export function SceneLibrary({ open, onClose, selected, onChoose }: SceneLibraryProps) {
  const group = sceneLibrary.find(({ id }) => id === selected)?.group ?? sceneGroups[0].id;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Scene library"
      description="Choose a scene. Its words go into your description, where you can change them."
    >
      <Tabs.Root defaultValue={group}>
        <Tabs.List aria-label="Groups" className="flex gap-1 border-b border-line">
          {sceneGroups.map(({ id, name }) => (
            <Tabs.Trigger
              key={id}
              value={id}
              className="-mb-px min-h-11 border-b-2 border-transparent px-3 text-sm font-semibold text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
            >
              {name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {sceneGroups.map(({ id, name }) => (
          <Tabs.Content key={id} value={id} tabIndex={-1} className="pt-4">
            <ul aria-label={name} className="grid grid-cols-3 gap-x-2.5 gap-y-3.5 sm:grid-cols-4">
              {sceneLibrary
                .filter((scene) => scene.group === id)
                .map((scene) => (
                  <li key={scene.id}>
                    <SceneTile
                      id={scene.id}
                      name={scene.name}
                      selected={scene.id === selected}
                      onChoose={() => onChoose(scene.id)}
                    />
                  </li>
                ))}
            </ul>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Dialog>
  );
}

interface SceneTileProps {
  id: SceneId;
  name: string;
  selected: boolean;
  onChoose: () => void;
}

function SceneTile({ id, name, selected, onChoose }: SceneTileProps) {
  return (
    <button
      type="button"
      aria-pressed={selected}
      onClick={onChoose}
      className="group block w-full rounded-field text-left"
    >
      <span
        className={clsx(
          'block overflow-hidden rounded-field',
          selected
            ? 'ring-2 ring-accent ring-offset-2 ring-offset-surface'
            : 'ring-1 ring-line group-hover:ring-line-strong',
        )}
      >
        <Picture
          picture={scenePictures[id]}
          alt=""
          sizes="120px"
          loading="eager"
          className="aspect-square w-full object-cover"
        />
      </span>
      <span className="mt-1.5 block text-[0.8125rem] leading-snug font-medium">{name}</span>
    </button>
  );
}
