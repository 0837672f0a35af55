import { zodResolver } from '@hookform/resolvers/zod';
import { MailCheck } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useSearchParams } from 'react-router-dom';
import { z } from 'zod';
import { contactSchema, contactSubjectIds, contactSubjects, limits, pages } from '#contract';
import { usePage } from '#web/lib/page.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { useSenderPrefill } from '#web/lib/use-sender-prefill.ts';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { EmailField } from '#web/ui/email-field.tsx';
import { Field, TextAreaField } from '#web/ui/field.tsx';
import { HoneypotField } from '#web/ui/honeypot-field.tsx';
import { Name } from '#web/ui/name.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SelectField } from '#web/ui/select.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { sendMessage } from './api.ts';

/** The contact form; `?subject=` selects a subject. */
export function ContactPage() {
  const heading = usePage(sitePages['/contact'].title);
  const [query] = useSearchParams();
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <SitePage>
      <div className="mx-auto grid max-w-6xl gap-x-16 gap-y-10 px-4 py-12 sm:px-6 sm:py-16 lg:grid-cols-[minmax(0,1fr)_minmax(0,34rem)] lg:grid-rows-[auto_1fr]">
        <div>
          <h1 ref={heading} tabIndex={-1} className="text-4xl font-bold tracking-tight sm:text-5xl">
            Contact us
          </h1>
          <p className="mt-4 max-w-md text-lg text-ink-soft">
            Write to us about Packshot, your account or your bill. We answer by email.
          </p>
        </div>
        <div className="rounded-card lg:row-span-2 border border-line bg-surface p-5 shadow-card sm:p-8">
          {sentTo === null ? (
            <ContactForm subject={query.get('subject')} onSent={setSentTo} />
          ) : (
            <MessageSent email={sentTo} onAnother={() => setSentTo(null)} />
          )}
        </div>
        <OtherWays />
      </div>
    </SitePage>
  );
}

function OtherWays() {
  return (
    <div className="grid max-w-md content-start gap-5">
      <OtherWay title="Before you write">
        Most questions are answered in the{' '}
        <Link to="/documentation" className={textLinkClass}>
          guides
        </Link>{' '}
        and the{' '}
        <Link to="/faq" className={textLinkClass}>
          FAQ
        </Link>
        . You can change your plan and your card yourself in your{' '}
        <Link to={pages.plan} className={textLinkClass}>
          Account Settings
        </Link>
        .
      </OtherWay>
      <OtherWay title="On the Enterprise plan">
        Sign in before you write: your message then reaches us marked as Enterprise, for your dedicated
        support.
      </OtherWay>
      <OtherWay title="Want to work with us?">
        Our open positions are on the{' '}
        <Link to="/careers" className={textLinkClass}>
          Careers
        </Link>{' '}
        page.
      </OtherWay>
    </div>
  );
}

function OtherWay({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="font-semibold">{title}</h2>
      <p className="mt-1 text-ink-soft">{children}</p>
    </section>
  );
}

/** After a message was sent. It gets the focus, so that screen readers announce it. */
function MessageSent({ email, onAnother }: { email: string; onAnother: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="grid justify-items-center gap-4 py-8 text-center">
      <MailCheck aria-hidden className="size-12 text-accent" strokeWidth={1.5} />
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-24 text-2xl font-bold">
        Message Sent!
      </h2>
      <p className="text-ink-soft">
        Thanks for writing to us. We'll answer to{' '}
        <strong className="font-semibold text-ink">
          <Name>{email}</Name>
        </strong>
        .
      </p>
      <Button variant="secondary" onClick={onAnother} className="mt-2">
        Send Another Message
      </Button>
    </div>
  );
}

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
function ContactForm({ subject, onSent }: ContactFormProps) {
  const preselected = contactSubjectIds.find((id) => id === subject) ?? '';
  const form = useForm<ContactValues>({
    resolver: zodResolver(formSchema),
    defaultValues: { name: '', email: '', subject: preselected, message: '', website: '' },
  });
  useSenderPrefill(form);
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
        {...registerField(form, 'name')}
      />
      <EmailField autoComplete="email" {...registerField(form, 'email')} />
      <SelectField
        label="Subject"
        placeholder="Choose a subject"
        options={subjects}
        required
        {...registerField(form, 'subject')}
      />
      <TextAreaField label="Message" required {...registerField(form, 'message')} />
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
