import clsx from 'clsx';
import { useEffect, useRef } from 'react';
import { NavLink } from 'react-router-dom';

interface PageNavProps {
  label: string;
  pages: readonly { path: string; name: string; end?: boolean }[];
}

/** Links to the sub-pages of a page: a list at the side or, on a phone, a strip that scrolls sideways. */
export function PageNav({ label, pages }: PageNavProps) {
  const strip = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const current = strip.current?.querySelector<HTMLElement>('[aria-current]');
    // `scrollTo` moves only the strip; `scrollIntoView` would move the page, too.
    strip.current?.scrollTo({ left: (current?.offsetLeft ?? 0) - 24 });
  }, []);
  return (
    <nav
      aria-label={label}
      className="sticky top-15 z-20 -mx-4 border-b border-line bg-page sm:-mx-6 lg:top-20 lg:mx-0 lg:border-0"
    >
      <ul
        ref={strip}
        className="relative flex gap-1 overflow-x-auto px-3 py-1.5 [scrollbar-width:none] sm:px-5 lg:grid lg:p-0"
      >
        {pages.map(({ path, name, end = true }) => (
          <li key={path}>
            <NavLink
              to={path}
              end={end}
              className={({ isActive }) =>
                clsx(
                  'flex min-h-11 items-center rounded-full px-3.5 text-[0.9375rem] whitespace-nowrap hover:bg-sunken lg:rounded-field',
                  isActive ? 'bg-sunken font-semibold forced-colors:underline' : 'text-ink-soft',
                )
              }
            >
              {name}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
