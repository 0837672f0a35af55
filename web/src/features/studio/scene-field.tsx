import clsx from 'clsx';
import { X } from 'lucide-react';
import { type ComponentProps, useRef } from 'react';
import { isolateName, limits } from '#contract';
import { FieldError } from '#web/ui/field.tsx';
import { mergeRefs } from '#web/ui/merge-refs.ts';
import { Name } from '#web/ui/name.tsx';
import { nameOfChoice, type SceneChoice } from './scene-words.ts';

interface SceneFieldProps {
  /** The textarea's props from the form. */
  input: ComponentProps<'textarea'>;
  description: string;
  error: string | undefined;
  /** The scene whose words are in the description. */
  choice: SceneChoice | undefined;
  /** Takes the scene out; the seller's own words stay. */
  onRemoveChoice: () => void;
}

/** So many characters before the limit, the counter appears. */
const countedFrom = 300;

/** The scene description with the name of the scene that is in it. */
export function SceneField({ input, description, error, choice, onRemoveChoice }: SceneFieldProps) {
  const textarea = useRef<HTMLTextAreaElement>(null);
  const tooLong = description.length > limits.promptCharacters;
  const isCounted = description.length > limits.promptCharacters - countedFrom;
  return (
    <div className="min-w-0">
      <label htmlFor="scene" className="sr-only">
        Scene description
      </label>
      <div
        className={clsx(
          'flex flex-wrap items-start gap-x-2.5 rounded-field border bg-surface px-3 py-1.5 has-[textarea:focus-visible]:outline-[2.5px] has-[textarea:focus-visible]:outline-offset-2 has-[textarea:focus-visible]:outline-accent',
          error || tooLong ? 'border-danger' : 'border-line-strong hover:border-ink-soft',
        )}
      >
        {choice && (
          <button
            type="button"
            onClick={() => {
              onRemoveChoice();
              textarea.current?.focus();
            }}
            aria-label={`Remove the scene ${isolateName(nameOfChoice(choice))}`}
            className="my-1 inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border border-transparent bg-accent-wash px-3 text-[0.8125rem] font-semibold hover:bg-sunken max-lg:min-h-11 max-sm:hidden"
          >
            <Name className="truncate">{nameOfChoice(choice)}</Name>
            <X aria-hidden className="size-3.5 shrink-0" strokeWidth={2.5} />
          </button>
        )}
        <textarea
          id="scene"
          dir="auto"
          rows={2}
          placeholder="Describe the setting: what it stands on, what is behind it, the light"
          aria-invalid={error || tooLong ? true : undefined}
          aria-describedby={clsx(error && 'scene-error', isCounted && 'scene-count') || undefined}
          className="field-sizing-content max-h-32 min-h-12 min-w-56 max-sm:max-h-15 flex-1 resize-none bg-transparent py-1.5 text-base leading-normal outline-none placeholder:text-ink-soft"
          {...input}
          ref={mergeRefs(input.ref, textarea)}
        />
      </div>
      <div className="flex items-start justify-between gap-3">
        <FieldError id="scene-error">{error}</FieldError>
        {isCounted && <Counter length={description.length} tooLong={tooLong} />}
      </div>
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
