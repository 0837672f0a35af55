import clsx from 'clsx';
import { useEffect, useRef, useState } from 'react';

/** The parts of the profile in their order: where an address such as `/profile#plans` leads, and their names. */
const parts = [
  { id: 'account', name: 'Account' },
  { id: 'subscription', name: 'Subscription' },
  { id: 'plans', name: 'Plans' },
  { id: 'images', name: 'Images' },
  { id: 'settings', name: 'Settings' },
  { id: 'security', name: 'Security' },
  { id: 'data', name: 'Your data' },
] as const;

/** The part that stands at the top third of the window. */
function useCurrentPart(): string {
  const [current, setCurrent] = useState<string>(parts[0].id);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) if (isIntersecting) setCurrent(target.id);
      },
      { rootMargin: '-20% 0px -75% 0px' },
    );
    for (const { id } of parts) {
      const part = document.getElementById(id);
      if (part) observer.observe(part);
    }
    return () => observer.disconnect();
  }, []);
  return current;
}

/** Leads to the parts of the page: a list beside them, on a phone a strip above. */
export function ProfileNav() {
  const current = useCurrentPart();
  const strip = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const list = strip.current;
    const link = list?.querySelector<HTMLElement>(`[href="#${current}"]`);
    // Only the strip moves, not the page.
    if (list && link) list.scrollTo({ left: link.offsetLeft - 24, behavior: 'smooth' });
  }, [current]);
  return (
    <nav
      aria-label="Profile"
      className="sticky top-15 z-20 -mx-4 border-b border-line bg-page sm:-mx-6 lg:top-20 lg:mx-0 lg:border-0"
    >
      <ul
        ref={strip}
        className="relative flex gap-1 overflow-x-auto px-3 py-1.5 [scrollbar-width:none] sm:px-5 lg:grid lg:p-0"
      >
        {parts.map(({ id, name }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={current === id ? 'location' : undefined}
              className={clsx(
                'flex min-h-11 items-center rounded-full px-3.5 text-[0.9375rem] whitespace-nowrap hover:bg-sunken lg:rounded-field',
                current === id ? 'bg-sunken font-semibold' : 'text-ink-soft',
              )}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
