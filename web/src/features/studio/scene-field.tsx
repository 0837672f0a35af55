import clsx from 'clsx';
import { type ComponentProps, useRef } from 'react';
import { limits, type SceneTemplate, sceneTemplates } from '#contract';
import { FieldError, inputClass } from '#web/ui/field.tsx';
import { mergeRefs } from '#web/ui/merge-refs.ts';

interface SceneFieldProps {
  /** The textarea's props from the form. */
  input: ComponentProps<'textarea'>;
  length: number;
  error: string | undefined;
  /** The template that the description starts with. */
  template: SceneTemplate | undefined;
  onTemplate: (template: SceneTemplate) => void;
}

/** The scene description with its counter, and the templates. */
export function SceneField({ input, length, error, template, onTemplate }: SceneFieldProps) {
  const textarea = useRef<HTMLTextAreaElement>(null);
  const tooLong = length > limits.promptCharacters;
  const chooseTemplate = (chosen: SceneTemplate) => {
    onTemplate(chosen);
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
      </div>
      <Templates selected={template} onSelect={chooseTemplate} />
    </div>
  );
}

interface TemplatesProps {
  selected: SceneTemplate | undefined;
  onSelect: (template: SceneTemplate) => void;
}

function Templates({ selected, onSelect }: TemplatesProps) {
  return (
    <>
      <p id="templates-label" className="mt-2.5 mb-2 text-sm font-semibold">
        Start from a template
      </p>
      <ul aria-labelledby="templates-label" className="grid grid-cols-2 gap-2">
        {sceneTemplates.map((name) => (
          <li key={name}>
            <button
              type="button"
              aria-pressed={selected === name}
              onClick={() => onSelect(name)}
              className={clsx(
                'flex min-h-11 w-full items-center rounded-field border px-3 py-2 text-left text-[0.8125rem] leading-snug font-medium transition-colors',
                selected === name
                  ? 'border-accent bg-accent-wash'
                  : 'border-line bg-surface hover:border-line-strong hover:bg-sunken',
              )}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
