import { Link } from 'react-router-dom';

/** The name and mark, leading to the landing page. */
export function Logo() {
  return (
    <Link
      to="/"
      className="-ml-1 inline-flex min-h-11 items-center gap-2.5 rounded-field px-1 text-lg font-bold tracking-tight"
    >
      <svg viewBox="0 0 32 32" aria-hidden="true" className="size-8">
        <rect width="32" height="32" rx="9" className="fill-accent" />
        <g className="stroke-accent-ink" fill="none" strokeWidth="2.4" strokeLinecap="round">
          <path d="M7 22.5c6-1 9-4 9-9V8" opacity=".55" />
          <path d="M6 24.5h20" />
        </g>
        <circle cx="19" cy="17" r="6.5" className="fill-accent-ink" />
      </svg>
      Packshot
    </Link>
  );
}
