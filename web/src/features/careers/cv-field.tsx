import clsx from 'clsx';
import { FileText, Paperclip, X } from 'lucide-react';
import { type Ref, useId, useRef } from 'react';
import { cvExtensions, isolateName, limits } from '#contract';
import { buttonClass } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field.tsx';
import { mergeRefs } from '#web/ui/merge-refs.ts';
import { Name } from '#web/ui/name.tsx';

interface CvFieldProps {
  file: File | null;
  error: string | undefined;
  onChange: (file: File | null) => void;
  inputRef: Ref<HTMLInputElement>;
}

/** Chooses one file; shows its name and size with a button that removes it. */
export function CvField({ file, error, onChange, inputRef }: CvFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const choose = (chosen: File | null) => {
    onChange(chosen);
    // Otherwise choosing the same file again would be no change.
    if (input.current) input.current.value = '';
  };
  return (
    <div>
      <p id={`${id}-label`} className="mb-1.5 text-sm font-semibold">
        CV
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <input
          id={id}
          ref={mergeRefs(inputRef, input)}
          type="file"
          accept={cvExtensions.join(',')}
          aria-labelledby={`${id}-label ${id}-button`}
          aria-invalid={error ? true : undefined}
          aria-describedby={clsx(error && `${id}-error`, `${id}-hint`)}
          onChange={({ target }) => target.files?.[0] && choose(target.files[0])}
          className="peer sr-only"
        />
        <label
          id={`${id}-button`}
          htmlFor={id}
          className={buttonClass(
            'secondary',
            clsx(
              'cursor-pointer peer-focus-visible:outline-[2.5px] peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent',
              error && 'border-danger!',
            ),
          )}
        >
          <Paperclip aria-hidden className="size-4" />
          {file ? 'Choose another file' : 'Choose a file'}
        </label>
        {file && <ChosenFile file={file} onRemove={() => choose(null)} />}
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
      <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
        PDF, DOCX, ODT or DOC, up to {limits.cvBytes / 1024 / 1024} MB.
      </p>
    </div>
  );
}

function ChosenFile({ file, onRemove }: { file: File; onRemove: () => void }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      <FileText aria-hidden className="size-5 shrink-0 text-accent" />
      <span className="min-w-0">
        <Name>{file.name}</Name>{' '}
        <span className="whitespace-nowrap text-ink-soft">{sizeText(file.size)}</span>
      </span>
      <button
        type="button"
        onClick={onRemove}
        aria-label={`Remove ${isolateName(file.name)}`}
        className="grid size-11 shrink-0 place-items-center rounded-full text-ink-soft hover:bg-sunken hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </button>
    </span>
  );
}

/** `480 kB`, `1.2 MB`. */
function sizeText(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024))} kB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
