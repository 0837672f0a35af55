import { guides } from '#web/content/guides.ts';
import { usePage } from '#web/lib/page.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { ContentPicture } from '#web/ui/site/content-picture.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';

/** The list of guides. */
export function DocumentationPage() {
  const heading = usePage(sitePages['/documentation'].title);
  return (
    <SitePage>
      <div className="mx-auto max-w-6xl px-4 py-12 sm:px-6 sm:py-16">
        <h1 ref={heading} tabIndex={-1} className="text-4xl font-bold tracking-tight sm:text-5xl">
          Documentation
        </h1>
        <p className="mt-4 max-w-2xl text-lg text-ink-soft">
          Short guides to everything Packshot does. Every address of the API is in its{' '}
          <SiteLink to="/documentation/reference" className={textLinkClass}>
            reference
          </SiteLink>
          . Something missing?{' '}
          <SiteLink to="/contact" className={textLinkClass}>
            Ask us
          </SiteLink>
          .
        </p>
        <ul className="mt-10 grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
          {guides.map(({ slug, title, description, picture }) => (
            <li
              key={slug}
              className="relative overflow-hidden rounded-card border border-line bg-surface shadow-card hover:border-line-strong"
            >
              <ContentPicture
                name={picture}
                alt=""
                sizes="(min-width: 64rem) 22rem, (min-width: 40rem) 50vw, 100vw"
                className="aspect-[4/3] w-full object-cover"
              />
              <div className="p-5">
                <h2 className="text-xl font-semibold">
                  <SiteLink
                    to={`/documentation/${slug}`}
                    className="after:absolute after:inset-0 hover:underline"
                  >
                    {title}
                  </SiteLink>
                </h2>
                <p className="mt-2 text-ink-soft">{description}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </SitePage>
  );
}
