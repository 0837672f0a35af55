import clsx from 'clsx';
import { X } from 'lucide-react';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { limits, sceneTemplates, withTemplate } from '#contract';
import { FieldError, inputClass } from '#web/ui/field.tsx';
import { mergeRefs } from '#web/ui/merge-refs.ts';
import { SceneChips } from './scene-chips.tsx';
import { SceneTemplates } from './scene-templates.tsx';
import { sceneIn, withChip, withScene } from './scene-words.ts';
import { useSceneLibrary } from './use-scene-library.ts';

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
        selected={sceneTemplates.find((name) => description.startsWith(`${name}:`))}
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
