import { Menu } from 'lucide-react';
import { useRef } from 'react';
import { pages } from '#contract';
import { buttonClass } from '#web/ui/button.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { SiteLink } from './site-link.tsx';

const links = [
  { to: '/#pricing', label: 'Pricing' },
  { to: '/documentation', label: 'Guides' },
  { to: '/faq', label: 'FAQ' },
  { to: '/blog', label: 'Blog' },
] as const;

const linkClass = 'inline-flex min-h-11 items-center rounded-full px-3.5 font-medium hover:bg-sunken';

/** The top bar of the public pages. */
export function SiteHeader({ signedIn }: { signedIn: boolean }) {
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface">
      <div className="mx-auto flex max-w-6xl items-center gap-0.5 px-4 py-2 sm:gap-2 sm:px-6">
        <Logo />
        <nav aria-label="Site" className="ml-4 hidden items-center md:flex">
          {links.map(({ to, label }) => (
            <SiteLink key={to} to={to} className={linkClass}>
              {label}
            </SiteLink>
          ))}
        </nav>
        <nav aria-label="Account" className="ml-auto flex items-center gap-1 sm:gap-2">
          {signedIn ? (
            <SiteLink to={pages.dashboard} className={buttonClass('primary')}>
              Open your studio
            </SiteLink>
          ) : (
            <>
              <SiteLink to={pages.login} className={buttonClass('quiet', 'px-2! sm:px-3.5!')}>
                Login
              </SiteLink>
              <SiteLink to="/signup" className={buttonClass('primary', 'px-3! sm:px-4!')}>
                Sign Up
              </SiteLink>
            </>
          )}
        </nav>
        <SmallMenu />
      </div>
    </header>
  );
}

/** The site's links on small screens; opens without JavaScript. */
function SmallMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute('open');
  return (
    <details ref={menu} className="relative -mr-2 md:hidden">
      <summary
        aria-label="Menu"
        className="grid size-11 list-none place-items-center rounded-full hover:bg-sunken [&::-webkit-details-marker]:hidden"
      >
        <Menu aria-hidden className="size-5" />
      </summary>
      <nav
        aria-label="Site"
        className="absolute right-0 mt-2 grid w-44 rounded-card border border-line bg-surface p-2 shadow-card"
      >
        {links.map(({ to, label }) => (
          <SiteLink key={to} to={to} onClick={close} className={linkClass}>
            {label}
          </SiteLink>
        ))}
      </nav>
    </details>
  );
}
