import { planIds, plans } from '#contract';
import { faq } from '#web/content/faq.ts';
import { guides } from '#web/content/guides.ts';
import { posts } from '#web/content/posts.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { openGraphCards } from '#web/pictures/open-graph.ts';

type Thing = { '@type': string } & Record<string, unknown>;

/**
 * What a page is about, as schema.org describes things.
 * @param origin begins absolute addresses
 */
export function structuredData(path: string, origin: string): Thing[] {
  const organization = {
    '@type': 'Organization',
    name: 'Packshot',
    url: `${origin}/`,
    logo: `${origin}/icons/icon-512.png`,
  };
  if (path === '/') {
    const website = { '@type': 'WebSite', name: 'Packshot', url: `${origin}/` };
    return [organization, website, application(origin)];
  }
  if (path === '/faq') return [questions()];
  const guide = guides.find(({ slug }) => path === `/documentation/${slug}`);
  if (guide) return [breadcrumbs(origin, '/documentation', guide.title)];
  const post = posts.find(({ slug }) => path === `/blog/${slug}`);
  if (!post) return [];
  const posting = {
    '@type': 'BlogPosting',
    headline: post.title,
    description: post.description,
    datePublished: post.date,
    image: origin + openGraphCards.guides.url,
    mainEntityOfPage: origin + path,
    author: organization,
    publisher: organization,
  };
  return [posting, breadcrumbs(origin, '/blog', post.title)];
}

/** The product with the price of each plan a month. */
function application(origin: string): Thing {
  return {
    '@type': 'SoftwareApplication',
    name: 'Packshot',
    description: sitePages['/'].description,
    url: `${origin}/`,
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Any',
    offers: planIds.map((id) => ({
      '@type': 'Offer',
      name: plans[id].name,
      price: (plans[id].monthlyPriceCents / 100).toFixed(2),
      priceCurrency: 'USD',
      url: `${origin}/signup?plan=${id}`,
    })),
  };
}

function questions(): Thing {
  return {
    '@type': 'FAQPage',
    mainEntity: faq.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
}

/** The page above an article, and the article itself. */
function breadcrumbs(origin: string, parent: '/documentation' | '/blog', title: string): Thing {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: sitePages[parent].title, item: origin + parent },
      { '@type': 'ListItem', position: 2, name: title },
    ],
  };
}
