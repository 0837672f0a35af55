import clsx from 'clsx';
import { type RefObject, useEffect, useRef, useState } from 'react';

/** The profile's sections in order; the id is the fragment of links such as `/profile#plans`. */
const sections = [
  { id: 'account', name: 'Account' },
  { id: 'subscription', name: 'Subscription' },
  { id: 'plans', name: 'Plans' },
  { id: 'images', name: 'Usage' },
  { id: 'settings', name: 'Settings' },
  { id: 'security', name: 'Security' },
  { id: 'data', name: 'Your data' },
] as const;

/** The id of the section in the upper part of the window. @param content the element whose children are sections */
function useCurrentSection(content: RefObject<HTMLElement | null>): string {
  const [current, setCurrent] = useState<string>(sections[0].id);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) if (isIntersecting) setCurrent(target.id);
      },
      { rootMargin: '-20% 0px -75% 0px' },
    );
    for (const element of content.current?.children ?? []) {
      if (sections.some(({ id }) => id === element.id)) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [content]);
  return current;
}

/** Links to the sections of the profile: a list at the side or, on a phone, a strip at the top. */
export function ProfileNav({ content }: { content: RefObject<HTMLElement | null> }) {
  const current = useCurrentSection(content);
  const strip = useRef<HTMLUListElement>(null);
  const currentLink = useRef<HTMLAnchorElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `current` decides which link the ref holds
  useEffect(() => {
    // `scrollTo` moves only the strip; `scrollIntoView` would move the page, too.
    const left = (currentLink.current?.offsetLeft ?? 0) - 24;
    strip.current?.scrollTo({ left, behavior: 'smooth' });
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
        {sections.map(({ id, name }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              ref={current === id ? currentLink : undefined}
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
