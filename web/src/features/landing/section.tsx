import clsx from 'clsx';
import type { ReactNode } from 'react';

interface SectionProps {
  /** The fragment of links to it. */
  id: string;
  title: string;
  lead?: ReactNode;
  /** With the colour of a raised surface, to set it apart from the sections around it. */
  band?: boolean;
  centred?: boolean;
  children: ReactNode;
}

/** A section of the landing page with its heading. */
export function Section({ id, title, lead, band, centred, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-heading`}
      className={clsx('scroll-mt-16', band && 'border-y border-line bg-surface')}
    >
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 sm:py-24">
        <SectionHeading id={id} title={title} lead={lead} centred={centred} />
        <div className="mt-10 sm:mt-12">{children}</div>
      </div>
    </section>
  );
}

/** The heading of a section, and a sentence below it. */
export function SectionHeading({ id, title, lead, centred }: Omit<SectionProps, 'children' | 'band'>) {
  return (
    <div className={clsx('max-w-2xl', centred && 'mx-auto text-center')}>
      <h2
        id={`${id}-heading`}
        className="text-3xl leading-[1.1] font-bold tracking-[-0.025em] sm:text-[2.75rem]"
      >
        {title}
      </h2>
      {lead !== undefined && (
        <p className="mt-4 text-lg leading-relaxed text-balance text-ink-soft">{lead}</p>
      )}
    </div>
  );
}
