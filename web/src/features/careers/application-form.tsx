import { zodResolver } from '@hookform/resolvers/zod';
import clsx from 'clsx';
import { FileText, Paperclip, X } from 'lucide-react';
import { type Ref, useEffect, useId, useRef, useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import { cvExtensions, isolateName, limits, type PositionId } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { copyFile } from '#web/lib/copy-file.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { useSenderPrefill } from '#web/lib/use-sender-prefill.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmailField } from '#web/ui/email-field.tsx';
import { Field, FieldError, FileInput, TextAreaField } from '#web/ui/field.tsx';
import { HoneypotField } from '#web/ui/honeypot-field.tsx';
import { Name } from '#web/ui/name.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { sendApplication } from './api.ts';
import { type ApplicationValues, applicationFormSchema, cvProblem } from './application-form-schema.ts';

/** Errors of the server that are shown at the file. */
const cvErrors = {
  FILE_EMPTY: 'cv',
  FILE_TOO_LARGE: 'cv',
  TOO_MANY_FILES: 'cv',
  TYPE_UNSUPPORTED: 'cv',
} as const;

interface ApplicationFormProps {
  position: PositionId;
  onSent: (email: string) => void;
  onCancel: () => void;
}

/** The form to apply for a position. It gets the focus when it appears; what was entered stays if it cannot be sent. */
export function ApplicationForm({ position, onSent, onCancel }: ApplicationFormProps) {
  const form = useForm<ApplicationValues>({
    resolver: zodResolver(applicationFormSchema),
    defaultValues: { name: '', email: '', message: '', website: '', cv: null },
  });
  useSenderPrefill(form);
  const { field: cv } = useController({ control: form.control, name: 'cv' });
  const { errors } = form.formState;
  const { call, progress } = useUpload(position);
  const { submit, isPending, formError } = useFormMutation(form, call, {
    fields: cvErrors,
    onSuccess: (_reply, { email }) => onSent(email),
  });
  const chosen = useRef<File>(null);
  const chooseCv = async (file: File | null) => {
    chosen.current = file;
    // What cannot be a CV may be very large.
    const copy = file && cvProblem(file) === null ? await copyFile(file).catch(messageOf) : file;
    // Another one was chosen while this one was read.
    if (chosen.current !== file) return;
    if (typeof copy === 'string') return form.setError('cv', { message: copy });
    form.setValue('cv', copy, { shouldDirty: true, shouldValidate: true });
  };
  const { setFocus } = form;
  useEffect(() => setFocus('name'), [setFocus]);
  return (
    <form noValidate onSubmit={submit} className="relative grid gap-5">
      <Field
        label="Name"
        autoComplete="name"
        required
        maxLength={limits.senderNameCharacters}
        {...registerField(form, 'name')}
      />
      <EmailField autoComplete="email" {...registerField(form, 'email')} />
      <CvField file={cv.value} error={errors.cv?.message} inputRef={cv.ref} onChange={chooseCv} />
      <TextAreaField label="Message (optional)" rows={4} {...registerField(form, 'message')} />
      <HoneypotField {...form.register('website')} />
      {formError && (
        <Notice tone="danger" scrollIntoView>
          {formError}
        </Notice>
      )}
      {isPending && <ProgressBar label="Upload" fraction={progress} />}
      <div className="flex flex-wrap gap-2">
        <SubmitButton busy={isPending} busyLabel="Sending...">
          Send Application
        </SubmitButton>
        {/* Also stops an application that is being sent, because the form then disappears. */}
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <p className="text-sm text-ink-soft">
        Your application and your CV are sent to us by email. Packshot keeps your CV only until the email is
        sent.
      </p>
    </form>
  );
}

/** Sends an application, and counts how much of it was sent. It is aborted when the form disappears. */
function useUpload(position: PositionId) {
  const [progress, setProgress] = useState(0);
  const upload = useRef<AbortController>(null);
  useEffect(() => () => upload.current?.abort(), []);
  const call = (values: ApplicationValues) => {
    setProgress(0);
    upload.current = new AbortController();
    const { signal } = upload.current;
    return sendApplication(position, values, { onProgress: setProgress, signal });
  };
  return { call, progress };
}

interface CvFieldProps {
  file: File | null;
  error: string | undefined;
  onChange: (file: File | null) => void;
  inputRef: Ref<HTMLInputElement>;
}

/** Chooses one file; shows its name and size with a button that removes it. */
function CvField({ file, error, onChange, inputRef }: CvFieldProps) {
  const id = useId();
  return (
    <div>
      <p id={`${id}-label`} className="mb-1.5 text-sm font-semibold">
        CV
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <FileInput
          id={id}
          ref={inputRef}
          accept={cvExtensions.join(',')}
          aria-labelledby={`${id}-label ${id}-button`}
          aria-invalid={error ? true : undefined}
          aria-describedby={clsx(error && `${id}-error`, `${id}-hint`)}
          onFiles={([file]) => onChange(file!)}
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
        {file && <ChosenFile file={file} onRemove={() => onChange(null)} />}
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
