import type { Article } from './article.ts';

/** The guides at `/documentation/<slug>`, in reading order. */
export const guides: readonly Article[] = [
  {
    slug: 'first-image',
    title: 'Your first image',
    description: 'From sign-up to a downloaded studio image in a few minutes, step by step.',
    picture: 'scene-oak',
    load: () => import('./guides/first-image.md'),
  },
  {
    slug: 'photos-that-work',
    title: 'Photos that work',
    description:
      'Which product photos give the best images, which file types are accepted, and what to avoid.',
    picture: 'photo-good',
    load: () => import('./guides/photos-that-work.md'),
  },
  {
    slug: 'scenes-that-work',
    title: 'Scenes that work',
    description: 'How to describe a surface, light and background so that the product stays the hero.',
    picture: 'light-golden',
    load: () => import('./guides/scenes-that-work.md'),
  },
  {
    slug: 'plans-and-balance',
    title: 'Plans and image balance',
    description: 'What each plan includes, how images are counted, and when an image is not counted.',
    picture: 'set-result',
    load: () => import('./guides/plans-and-balance.md'),
  },
  {
    slug: 'batches',
    title: 'Batches',
    description: 'Images of many products at once: a table, a folder of photos, and a ZIP at the end.',
    picture: 'post-consistent',
    load: () => import('./guides/batches.md'),
  },
  {
    slug: 'exports',
    title: 'Downloads and data export',
    description: 'The image files you download, and the archive with everything your account holds.',
    picture: 'photo-busy-result',
    load: () => import('./guides/exports.md'),
  },
  {
    slug: 'billing',
    title: 'Billing',
    description: 'Paying, changing and cancelling a plan, failed payments, invoices and refunds.',
    picture: 'screen-plan',
    load: () => import('./guides/billing.md'),
  },
  {
    slug: 'security',
    title: 'Account security',
    description: 'Two-factor sign-in, sessions, lock-outs and what to do if someone else gets in.',
    picture: 'screen-security',
    load: () => import('./guides/security.md'),
  },
  {
    slug: 'first-image-with-the-api',
    title: 'First image with the API',
    description: 'An API key, and an image from your own program in five minutes: in curl, Node and Python.',
    picture: 'view-normal',
    load: () => import('./guides/first-image-with-the-api.md'),
  },
  {
    slug: 'more-with-the-api',
    title: 'More with the API',
    description:
      'Changes, takes, files for marketplaces, batches, projects and looks, with an API key, as commands.',
    picture: 'angle-result',
    load: () => import('./guides/more-with-the-api.md'),
  },
  {
    slug: 'webhooks',
    title: 'Webhooks with verification',
    description:
      'Your server is called when an image is ready, and verifies that it was us: in Node and Python.',
    picture: 'view-close-up',
    load: () => import('./guides/webhooks.md'),
  },
  {
    slug: 'batches-with-the-command',
    title: 'Batches with the command',
    description:
      'A table of products becomes images, from a terminal or a script, and goes on where it stopped.',
    picture: 'post-consistent',
    load: () => import('./guides/batches-with-the-command.md'),
  },
  {
    slug: 'going-live-with-the-api',
    title: 'Going live with the API',
    description: 'Keys, retries, money and what to watch, before your program makes thousands of images.',
    picture: 'set-result',
    load: () => import('./guides/going-live-with-the-api.md'),
  },
  {
    slug: 'api',
    title: 'API of the studio',
    description: 'Everything that the studio does, from your own program: with a session instead of a key.',
    picture: 'view-flat-lay',
    load: () => import('./guides/api.md'),
  },
];
