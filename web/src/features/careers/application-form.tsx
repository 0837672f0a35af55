import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef, useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import { limits, type PositionId } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { copyFile } from '#web/lib/copy-file.ts';
import { useFormMutation } from '#web/lib/use-form-mutation.ts';
import { useSenderPrefill } from '#web/lib/use-sender-prefill.ts';
import { Button } from '#web/ui/button.tsx';
import { EmailField } from '#web/ui/email-field.tsx';
import { Field } from '#web/ui/field.tsx';
import { HoneypotField } from '#web/ui/honeypot-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { sendApplication } from './api.ts';
import { type ApplicationValues, applicationFormSchema, cvProblem } from './application-form-schema.ts';
import { CvField } from './cv-field.tsx';

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
  const chooseCv = async (file: File | null) => {
    // What cannot be a CV may be very large.
    const copy = file && cvProblem(file) === null ? await copyFile(file).catch(messageOf) : file;
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
        error={errors.name?.message}
        {...form.register('name')}
      />
      <EmailField autoComplete="email" error={errors.email?.message} {...form.register('email')} />
      <CvField file={cv.value} error={errors.cv?.message} inputRef={cv.ref} onChange={chooseCv} />
      <TextAreaField
        label="Message (optional)"
        rows={4}
        error={errors.message?.message}
        {...form.register('message')}
      />
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
