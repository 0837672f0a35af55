import { usePage } from '#web/lib/page.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';

/** For unknown URLs. */
export function NotFoundPage() {
  const heading = usePage('Page not found');
  return (
    <div className="sweep flex min-h-dvh flex-col">
      <header className="px-4 py-3 sm:px-8">
        <Logo />
      </header>
      <main className="grid flex-1 place-items-center p-6">
        <div className="grid max-w-md justify-items-center gap-4 text-center">
          <p className="text-sm font-semibold text-accent">404</p>
          <h1 ref={heading} tabIndex={-1} className="text-3xl font-bold">
            Page not found
          </h1>
          <p className="text-ink-soft">The page you're looking for doesn't exist or has moved.</p>
          <SiteLink to="/" className={buttonClass('primary', 'mt-2')}>
            Go to the home page
          </SiteLink>
        </div>
      </main>
    </div>
  );
}
