import type { Article } from './article.ts';

export interface Post extends Article {
  /** The day it was published, as `2025-06-03`. */
  date: string;
  tags: readonly string[];
}

/** The posts at `/blog/<slug>`, newest first. */
export const posts: readonly Post[] = [
  {
    slug: 'counting-images-exactly-once',
    title: 'How we count images exactly once',
    description:
      'What happens to your image balance when a payment repeats, a server stops mid-image or you click twice.',
    picture: 'view-close-up',
    date: '2026-10-06',
    tags: ['behind the scenes', 'billing'],
    load: () => import('./posts/counting-images-exactly-once.md'),
  },
  {
    slug: 'main-images-on-marketplaces',
    title: 'What marketplaces ask of a main image',
    description:
      'White backgrounds, filled frames and no badges: the common rules, and where a styled scene belongs.',
    picture: 'post-white-background',
    date: '2026-06-16',
    tags: ['listings'],
    load: () => import('./posts/main-images-on-marketplaces.md'),
  },
  {
    slug: 'describe-a-scene',
    title: 'Describe a scene that keeps the product the hero',
    description: 'Five short decisions that turn a vague wish into a scene description that works.',
    picture: 'post-season',
    date: '2025-11-11',
    tags: ['scenes'],
    load: () => import('./posts/describe-a-scene.md'),
  },
  {
    slug: 'one-window-one-sheet-of-paper',
    title: 'One window and a sheet of paper',
    description: 'How to take a clear product photo at home with daylight, white paper and a phone.',
    picture: 'photo-good',
    date: '2025-07-08',
    tags: ['photos'],
    load: () => import('./posts/one-window-one-sheet-of-paper.md'),
  },
];

/** Every tag once, in alphabetical order. */
export const tags: readonly string[] = [...new Set(posts.flatMap((post) => post.tags))].sort();

/** The address of the list of posts with a tag. */
export function tagPath(tag: string): string {
  return `/blog/tags/${tag.replaceAll(' ', '-')}`;
}
