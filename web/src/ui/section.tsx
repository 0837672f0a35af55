import clsx from 'clsx';
import type { ReactNode } from 'react';

interface SectionProps {
  /** Also the fragment of links to it: `#id`. */
  id: string;
  title: string;
  lead?: ReactNode;
  /** Beside the title. */
  trailing?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A part of a page, on a card, with its heading. */
export function Section({ id, title, lead, trailing, children, className }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-heading`}
      className={clsx(
        'scroll-mt-32 rounded-card border border-line bg-surface p-5 shadow-card sm:p-7 lg:scroll-mt-20',
        className,
      )}
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={`${id}-heading`} tabIndex={-1} className="text-lg font-semibold">
          {title}
        </h2>
        {trailing}
      </div>
      {lead && <p className="mt-1 text-[0.9375rem] text-ink-soft">{lead}</p>}
      {children && <div className="mt-5">{children}</div>}
    </section>
  );
}
