import { matchPath } from 'react-router-dom';
import { pages } from '#contract';

/** The sub-pages of the account settings in the order of their menu. */
export const profilePages = [
  { path: pages.profile, name: 'Account' },
  { path: pages.plan, name: 'Plan & billing' },
  { path: pages.usage, name: 'Usage' },
  { path: pages.preferences, name: 'Preferences' },
  { path: pages.security, name: 'Security' },
  { path: pages.apiKeys, name: 'API' },
  { path: pages.data, name: 'Data' },
] as const;

/**
 * Where the sections are that `/profile#…` led to while it was one page. Mails, bookmarks and open checkouts still link to
 * them.
 */
const movedSections: Readonly<Record<string, string>> = {
  '#subscription': pages.plan,
  '#billing': pages.plan,
  '#plans': `${pages.plan}#plans`,
  '#images': pages.usage,
  '#settings': pages.preferences,
  '#security': pages.security,
  '#sessions': `${pages.security}#sessions`,
  '#data': pages.data,
};

/** The new address of an old link to the account settings; null if the address has not moved. */
export function movedTo({
  pathname,
  search,
  hash,
}: {
  pathname: string;
  search: string;
  hash: string;
}): string | null {
  if (!matchPath(pages.profile, pathname)) return null;
  const query = new URLSearchParams(search);
  // Stripe's return addresses, which a checkout or portal keeps from when it was opened.
  if (query.has('checkout') || query.has('portal')) return pages.plan + search;
  return movedSections[hash] ?? null;
}
