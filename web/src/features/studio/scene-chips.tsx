import clsx from 'clsx';
import { Tabs } from 'radix-ui';
import { chipKinds, type SceneChip, sceneChips } from '#contract';
import { chipsIn } from './scene-words.ts';

interface SceneChipsProps {
  description: string;
  onToggle: (chip: SceneChip) => void;
}

/** Chips that add words on light, angle and surface to the description, or take them out again. */
export function SceneChips({ description, onToggle }: SceneChipsProps) {
  const present = chipsIn(description);
  return (
    <Tabs.Root defaultValue={chipKinds[0].id}>
      <Tabs.List aria-label="Words to add" className="flex gap-1">
        {chipKinds.map(({ id, name }) => (
          <Tabs.Trigger
            key={id}
            value={id}
            className="min-h-9 rounded-full px-3 text-[0.8125rem] font-semibold text-ink-soft hover:text-ink data-[state=active]:bg-sunken data-[state=active]:text-ink"
          >
            {name}
            {present.some(({ kind }) => kind === id) && (
              <span className="ml-1.5 inline-block size-1.5 rounded-full bg-accent align-middle">
                <span className="sr-only">, chosen</span>
              </span>
            )}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {chipKinds.map(({ id, name }) => (
        <Tabs.Content key={id} value={id} tabIndex={-1} className="mt-1.5">
          <ul aria-label={name} className="flex flex-wrap gap-1.5">
            {sceneChips
              .filter(({ kind }) => kind === id)
              .map((chip) => {
                const pressed = present.includes(chip);
                return (
                  <li key={chip.id}>
                    <button
                      type="button"
                      aria-pressed={pressed}
                      onClick={() => onToggle(chip)}
                      className={clsx(
                        'min-h-9 rounded-full border px-3 text-[0.8125rem] font-medium transition-colors',
                        pressed
                          ? 'border-accent bg-accent-wash'
                          : 'border-line bg-surface hover:border-line-strong hover:bg-sunken',
                      )}
                    >
                      {chip.label}
                    </button>
                  </li>
                );
              })}
          </ul>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
