import { MailCheck } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { pages } from '#contract';
import { usePage } from '#web/lib/page.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { Button } from '#web/ui/button.tsx';
import { Name } from '#web/ui/name.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';
import { textLinkClass } from '#web/ui/text-link.ts';
import { ContactForm } from './contact-form.tsx';

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
