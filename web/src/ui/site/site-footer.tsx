import { Logo } from '#web/ui/logo.tsx';
import { ThemeSwitch } from '#web/ui/theme-switch.tsx';
import { SiteLink } from './site-link.tsx';

const groups = [
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

const linkClass = 'inline-flex min-h-11 items-center text-ink-soft hover:text-ink hover:underline';

/** The footer of the public pages, with every link of the site. */
export function SiteFooter() {
  return (
    <footer className="border-t border-line bg-surface">
      <div className="mx-auto grid max-w-6xl gap-8 px-4 py-10 sm:px-6 md:grid-cols-[1.4fr_1fr_1fr_1fr_1fr]">
        <div>
          <Logo />
          <p className="mt-2 max-w-xs text-ink-soft">
            Studio images of your products, on any set you can describe.
          </p>
        </div>
        {groups.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2 className="text-sm font-semibold">{title}</h2>
            <ul className="mt-1">
              {links.map(({ to, label }) => (
                <li key={to}>
                  <SiteLink to={to} className={linkClass}>
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
                <a href={href} rel="noopener me" className={linkClass}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-4 border-t border-line px-4 py-5 sm:px-6">
        <p className="text-sm text-ink-soft">© 2025 Packshot</p>
        <ThemeSwitch />
      </div>
    </footer>
  );
}
