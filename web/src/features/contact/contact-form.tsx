import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { contactSchema, contactSubjectIds, contactSubjects, limits } from '#contract';
import { useFormMutation } from '#web/lib/use-form-mutation.ts';
import { useSenderPrefill } from '#web/lib/use-sender-prefill.ts';
import { EmailField } from '#web/ui/email-field.tsx';
import { Field } from '#web/ui/field.tsx';
import { HoneypotField } from '#web/ui/honeypot-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { sendMessage } from './api.ts';

/** The form's subject is empty until one is chosen. */
const formSchema = contactSchema.extend({ subject: z.string().pipe(contactSchema.shape.subject) });
type ContactValues = z.input<typeof formSchema>;

const subjects = contactSubjectIds.map((id) => ({ value: id, label: contactSubjects[id] }));

interface ContactFormProps {
  /** The id of the subject that is selected at first; an unknown one is ignored. */
  subject: string | null;
  onSent: (email: string) => void;
}

/** The contact form. What was entered stays if it cannot be sent. */
export function ContactForm({ subject, onSent }: ContactFormProps) {
  const preselected = contactSubjectIds.find((id) => id === subject) ?? '';
  const form = useForm<ContactValues>({
    resolver: zodResolver(formSchema),
    defaultValues: { name: '', email: '', subject: preselected, message: '', website: '' },
  });
  useSenderPrefill(form);
  const { errors } = form.formState;
  const { submit, isPending, formError } = useFormMutation(
    form,
    (values) => sendMessage(contactSchema.parse(values)),
    { onSuccess: (_reply, { email }) => onSent(email) },
  );
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
      <SelectField
        label="Subject"
        placeholder="Choose a subject"
        options={subjects}
        required
        error={errors.subject?.message}
        {...form.register('subject')}
      />
      <TextAreaField label="Message" required error={errors.message?.message} {...form.register('message')} />
      <HoneypotField {...form.register('website')} />
      {formError && (
        <Notice tone="danger" scrollIntoView>
          {formError}
        </Notice>
      )}
      <SubmitButton busy={isPending} busyLabel="Sending..." className="justify-self-start">
        Send Message
      </SubmitButton>
    </form>
  );
}
