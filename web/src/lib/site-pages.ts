/** Title and description of a public page, for the browser's tab, search engines and shared links. */
export interface SitePageInfo {
  /** Without the product's name. */
  title: string;
  /** One or two sentences, up to about 155 characters. */
  description: string;
}

/** The public pages by path, except guides and blog posts, whose titles come from their list. */
export const sitePages = {
  '/': {
    title: 'Studio images of your products',
    description:
      'Upload photos of your product, describe a scene, and download a studio image for your listing. Your first images are free.',
  },
  '/about': {
    title: 'About',
    description: 'Who makes Packshot, and what we care about: honest images and exact bills.',
  },
  '/careers': {
    title: 'Careers',
    description: 'Open positions at Packshot, and how to apply.',
  },
  '/contact': {
    title: 'Contact',
    description: 'Questions about Packshot, your account or your bill: write to us.',
  },
  '/documentation': {
    title: 'Documentation',
    description:
      'Guides: your first image, photos and scenes that work, plans, exports, billing, security and the API.',
  },
  '/documentation/reference': {
    title: 'API reference',
    description: 'Every address of the Packshot API, what it takes and what it answers, with examples.',
  },
  '/faq': {
    title: 'Frequently asked questions',
    description: 'How long an image takes, which photos work, what a plan includes, and who owns the images.',
  },
  '/blog': {
    title: 'Blog',
    description: 'Notes on product photos, scenes and listings that sell.',
  },
  '/privacy': {
    title: 'Privacy Policy',
    description: 'Which data Packshot stores, why, for how long, and who processes it.',
  },
  '/terms': {
    title: 'Terms of Service',
    description: 'The agreement between you and Packshot.',
  },
  '/login': {
    title: 'Sign in',
    description: 'Sign in to your Packshot studio.',
  },
  '/signup': {
    title: 'Create your account',
    description: 'Create a Packshot account. Your photos become studio images in a few minutes.',
  },
} as const satisfies Record<string, SitePageInfo>;
