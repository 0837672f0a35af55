import { Menu } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { pages } from '#contract';
import { useMayBeSignedIn } from '#web/lib/signed-in-flag.ts';
import { buttonClass } from '../button.tsx';
import { Logo } from '../logo.tsx';
import { ThemeSwitch } from '../theme-switch.tsx';
import { CompanyLine } from './company-line.tsx';
import { SiteLink } from './site-link.tsx';

/** The layout of every public page: a link that skips the header, the header, the page's content in `main`, the footer. */
export function SitePage({ children }: { children: ReactNode }) {
  // Public pages do not ask the server: if the session has ended, the studio says so.
  const signedIn = useMayBeSignedIn();
  useShowLinked();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only z-40 rounded-field bg-surface px-4 py-3 font-semibold focus:not-sr-only focus:absolute focus:m-2"
      >
        Skip to content
      </a>
      <SiteHeader signedIn={signedIn} />
      <main id="content" tabIndex={-1} className="flex-1">
        {children}
      </main>
      <SiteFooter />
    </div>
  );
}

/** Shows the element that the address names after `#`, and opens it if it is a `details`. */
function useShowLinked(): void {
  useEffect(() => {
    const show = () => {
      const linked = document.getElementById(location.hash.slice(1));
      if (linked instanceof HTMLDetailsElement) linked.open = true;
      linked?.scrollIntoView();
    };
    show();
    window.addEventListener('hashchange', show);
    return () => window.removeEventListener('hashchange', show);
  }, []);
}

const headerLinks = [
  { to: '/#pricing', label: 'Pricing' },
  { to: '/documentation', label: 'Guides' },
  { to: '/faq', label: 'FAQ' },
  { to: '/blog', label: 'Blog' },
] as const;

const headerLinkClass = 'inline-flex min-h-11 items-center rounded-full px-3.5 font-medium hover:bg-sunken';

/** The top bar of the public pages. */
function SiteHeader({ signedIn }: { signedIn: boolean }) {
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface">
      <div className="mx-auto flex max-w-6xl items-center gap-0.5 px-4 py-2 sm:gap-2 sm:px-6">
        <Logo />
        <nav aria-label="Site" className="ml-4 hidden items-center md:flex">
          {headerLinks.map(({ to, label }) => (
            <SiteLink key={to} to={to} className={headerLinkClass}>
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
              <SiteLink to="/signup" className={buttonClass('secondary', 'px-3! sm:px-4!')}>
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
        {headerLinks.map(({ to, label }) => (
          <SiteLink key={to} to={to} onClick={close} className={headerLinkClass}>
            {label}
          </SiteLink>
        ))}
      </nav>
    </details>
  );
}

const footerGroups = [
  {
    title: 'Product',
    links: [
      { to: '/#how', label: 'How It Works' },
      { to: '/#pricing', label: 'Pricing' },
      { to: '/documentation', label: 'Documentation' },
      { to: '/faq', label: 'FAQ' },
    ],
  },
  {
    title: 'Company',
    links: [
      { to: '/about', label: 'About' },
      { to: '/careers', label: 'Careers' },
      { to: '/blog', label: 'Blog' },
      { to: '/contact', label: 'Contact' },
    ],
  },
  {
    title: 'Legal',
    links: [
      { to: '/privacy', label: 'Privacy Policy' },
      { to: '/terms', label: 'Terms of Service' },
    ],
  },
] as const;

const socialLinks = [
  { href: 'https://www.instagram.com/packshot', label: 'Instagram' },
  { href: 'https://www.linkedin.com/company/packshot', label: 'LinkedIn' },
  { href: 'https://www.youtube.com/@packshot', label: 'YouTube' },
] as const;

const footerLinkClass = 'inline-flex min-h-11 items-center text-ink-soft hover:text-ink hover:underline';

/** The footer of the public pages, with every link of the site. */
function SiteFooter() {
  return (
    <footer className="border-t border-line bg-surface">
      <div className="mx-auto grid max-w-6xl gap-8 px-4 py-10 sm:px-6 md:grid-cols-[1.4fr_1fr_1fr_1fr_1fr]">
        <div>
          <Logo />
          <p className="mt-2 max-w-xs text-ink-soft">
            Studio images of your products, on any set you can describe.
          </p>
        </div>
        {footerGroups.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2 className="text-sm font-semibold">{title}</h2>
            <ul className="mt-1">
              {links.map(({ to, label }) => (
                <li key={to}>
                  <SiteLink to={to} className={footerLinkClass}>
                    {label}
                  </SiteLink>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <nav aria-label="Social media">
          <h2 className="text-sm font-semibold">Follow us</h2>
          <ul className="mt-1">
            {socialLinks.map(({ href, label }) => (
              <li key={href}>
                <a href={href} rel="noopener me" className={footerLinkClass}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-4 border-t border-line px-4 py-5 sm:px-6">
        <div className="text-sm text-ink-soft">
          <p>© 2025 Packshot</p>
          <CompanyLine />
        </div>
        <ThemeSwitch />
      </div>
    </footer>
  );
}
