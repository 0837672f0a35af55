import clsx from 'clsx';
import type { ReactNode, Ref } from 'react';
import { Logo } from '#web/ui/logo.tsx';
import { ThemeSwitch } from '#web/ui/theme-switch.tsx';

interface AccountPageProps {
  headingRef: Ref<HTMLHeadingElement>;
  title: string;
  lead: ReactNode;
  children: ReactNode;
  wide?: boolean;
  /** Shown beside the content on large screens. */
  aside?: ReactNode;
}

/** The layout of the pages for signing up and in. */
export function AccountPage({ headingRef, title, lead, children, wide, aside }: AccountPageProps) {
  return (
    <div className="sweep flex min-h-dvh flex-col">
      <header className="flex items-center justify-between gap-4 px-4 py-3 sm:px-8">
        <Logo />
        <ThemeSwitch />
      </header>
      <main
        className={clsx(
          'grid flex-1 place-items-center gap-10 px-4 py-6 sm:py-10',
          aside !== undefined && 'lg:grid-cols-[1fr_1.25fr] lg:gap-6 lg:px-8',
        )}
      >
        <div
          className={clsx(
            'w-full rounded-card border border-line bg-surface p-5 shadow-card sm:p-9',
            wide ? 'max-w-xl' : 'max-w-md',
          )}
        >
          <h1 ref={headingRef} tabIndex={-1} className="text-2xl font-bold sm:text-[1.75rem]">
            {title}
          </h1>
          <p className="mt-1.5 mb-6 text-ink-soft">{lead}</p>
          {children}
        </div>
        {aside !== undefined && <div className="hidden w-full min-w-0 lg:block">{aside}</div>}
      </main>
    </div>
  );
}
