import clsx from 'clsx';
import { X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import {
  chipKinds,
  limits,
  type SceneChip,
  type SceneTemplate,
  sceneChips,
  sceneTemplates,
  splitTemplate,
  withTemplate,
} from '#contract';
import { networkError } from '#web/lib/api.ts';
import { createComponentCode } from '#web/lib/component-code.ts';
import { templatePictures } from '#web/pictures/templates.ts';
import { FieldError, inputClass } from '#web/ui/field.tsx';
import { mergeRefs } from '#web/ui/merge-refs.ts';
import { Picture } from '#web/ui/picture.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { chipsIn, sceneIn, withChip, withScene } from './scene-words.ts';

interface SceneFieldProps {
  /** The textarea's props from the form. */
  input: ComponentProps<'textarea'>;
  description: string;
  error: string | undefined;
  /** Called when a template, a scene or a chip changes the description. */
  onChange: (description: string) => void;
  /** Opens the saved looks. */
  looksButton: ReactNode;
}

/** The scene description with its counter, the chips, the templates and the scene library. */
export function SceneField({ input, description, error, onChange, looksButton }: SceneFieldProps) {
  const textarea = useRef<HTMLTextAreaElement>(null);
  const library = useSceneLibrary();
  const tooLong = description.length > limits.promptCharacters;
  const scene = sceneIn(description);
  const focusEnd = () => {
    textarea.current?.focus();
    // The caret goes to the end once the new text is rendered.
    requestAnimationFrame(() => {
      const end = textarea.current?.value.length ?? 0;
      textarea.current?.setSelectionRange(end, end);
    });
  };
  return (
    <div>
      <label htmlFor="scene" className="mb-1.5 block text-sm font-semibold">
        Scene description
      </label>
      <textarea
        id="scene"
        dir="auto"
        rows={4}
        placeholder="On a marble counter, morning light from the left, soft shadows"
        aria-invalid={error || tooLong ? true : undefined}
        aria-describedby={clsx(error && 'scene-error', 'scene-count')}
        className={clsx(inputClass, 'field-sizing-content max-h-72 min-h-28 resize-y py-2.5 leading-relaxed')}
        {...input}
        ref={mergeRefs(input.ref, textarea)}
      />
      <div className="flex items-start justify-between gap-3">
        <FieldError id="scene-error">{error}</FieldError>
        <Counter length={description.length} tooLong={tooLong} />
      </div>
      <SceneChips description={description} onToggle={(chip) => onChange(withChip(chip, description))} />
      <div className="mt-4 mb-2 flex flex-wrap items-center justify-between gap-x-2">
        <p id="templates-label" className="text-sm font-semibold whitespace-nowrap">
          Start from a template
        </p>
        <span className="flex gap-4">
          {looksButton}
          <button
            type="button"
            onClick={library.show}
            onPointerEnter={library.preload}
            onFocus={library.preload}
            aria-haspopup="dialog"
            className="-my-2 inline-flex min-h-11 items-center rounded-field text-sm font-semibold whitespace-nowrap text-accent hover:text-accent-hover"
          >
            Scene library
          </button>
        </span>
      </div>
      {scene && (
        <button
          type="button"
          onClick={() => {
            onChange(withScene(scene.id, description));
            focusEnd();
          }}
          aria-label={`Remove the scene ${scene.name}`}
          className="mb-2 inline-flex min-h-9 items-center gap-1.5 rounded-full border border-accent bg-accent-wash px-3 text-[0.8125rem] font-medium"
        >
          {scene.name}
          <X aria-hidden className="size-3.5" strokeWidth={2.5} />
        </button>
      )}
      <SceneTemplates
        labelledBy="templates-label"
        selected={splitTemplate(description).template}
        onSelect={(template) => {
          onChange(withTemplate(template, description));
          focusEnd();
        }}
      />
      {library.Library && (
        <library.Library
          open={library.open}
          onClose={library.close}
          selected={scene?.id}
          onChoose={(id) => {
            onChange(withScene(id, description));
            library.close();
          }}
        />
      )}
    </div>
  );
}

function Counter({ length, tooLong }: { length: number; tooLong: boolean }) {
  return (
    <p
      id="scene-count"
      className={clsx(
        'mt-1.5 ml-auto shrink-0 text-xs tabular-nums',
        tooLong ? 'font-semibold text-danger' : 'text-ink-soft',
      )}
    >
      {length.toLocaleString('en')} / {limits.promptCharacters.toLocaleString('en')}
      <span className="sr-only"> characters</span>
    </p>
  );
}

interface SceneChipsProps {
  description: string;
  onToggle: (chip: SceneChip) => void;
}

/** Chips that add words on light, angle and surface to the description, or take them out again. */
function SceneChips({ description, onToggle }: SceneChipsProps) {
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

interface SceneTemplatesProps {
  /** The template that the description starts with. */
  selected: SceneTemplate | undefined;
  onSelect: (template: SceneTemplate) => void;
  /** The id of the heading. */
  labelledBy: string;
}

/** The four templates with their thumbnails. */
function SceneTemplates({ selected, onSelect, labelledBy }: SceneTemplatesProps) {
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

const libraryCode = createComponentCode(async () => (await import('./scene-library.tsx')).SceneLibrary);

/** The scene library, whose code and pictures are loaded when the seller is about to open it. */
function useSceneLibrary() {
  const [open, setOpen] = useState(false);
  return {
    open,
    /** Undefined until it was opened. */
    Library: libraryCode.component,
    /** Starts loading; opening it reports an error. */
    preload: () => void libraryCode.preload(),
    show: () =>
      libraryCode.load().then(
        () => setOpen(true),
        () => toastError(networkError().message),
      ),
    close: () => setOpen(false),
  };
}
