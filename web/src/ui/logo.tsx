import { SiteLink } from '#web/ui/site/site-link.tsx';

/**
 * The logo with the name; links to the landing page unless `to` is given. The narrowest phones show only the logo.
 * @param compact whether all phones do
 */
export function Logo({ to = '/', compact = false }: { to?: string; compact?: boolean }) {
  return (
    <SiteLink
      to={to}
      className="-ml-1 inline-flex min-h-11 items-center gap-2.5 rounded-field px-1 text-lg font-bold tracking-tight whitespace-nowrap"
    >
      <svg viewBox="0 0 32 32" aria-hidden="true" className="size-8">
        <rect width="32" height="32" rx="9" className="fill-accent" />
        <path
          d="M6 25h12.5a7.5 7.5 0 0 0 7.5-7.5V7"
          fill="none"
          className="stroke-accent-ink"
          strokeWidth="2.5"
          strokeLinecap="round"
        />
        <rect x="8" y="12" width="10" height="9.5" rx="2.2" className="fill-accent-ink" />
      </svg>
      <span className={compact ? 'max-sm:sr-only' : 'max-[22rem]:sr-only'}>Packshot</span>
    </SiteLink>
  );
}
