import clsx from 'clsx';

interface OutlineProps {
  headings: readonly { id: string; text: string }[];
  className?: string;
}

/** Links to the headings of an article, beside it. */
export function OutlineNav({ headings, className }: OutlineProps) {
  return (
    <nav aria-label="On this page" className={clsx('sticky top-24 self-start', className)}>
      <p className="text-sm font-semibold">On this page</p>
      <OutlineList headings={headings} />
    </nav>
  );
}

/** The same for small screens: closed until it is opened. */
export function OutlineDetails({ headings, className }: OutlineProps) {
  return (
    <details className={clsx('rounded-card border border-line bg-surface px-4', className)}>
      <summary className="py-3 font-semibold">On this page</summary>
      <nav aria-label="On this page" className="pb-3">
        <OutlineList headings={headings} />
      </nav>
    </details>
  );
}

function OutlineList({ headings }: OutlineProps) {
  return (
    <ul className="mt-1">
      {headings.map(({ id, text }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className="block py-1.5 text-[0.9375rem] text-ink-soft hover:text-ink hover:underline"
          >
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}
