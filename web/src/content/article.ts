import type { GuidePictureName } from '#web/pictures/guides.ts';

/** A compiled Markdown file. */
export type MarkdownModule = typeof import('./about.md');

/** What lists, heads and feeds show of an article, and how to load its text. */
export interface Article {
  /** The last part of its address. */
  slug: string;
  title: string;
  /** One or two sentences, at most 160 characters. */
  description: string;
  picture: GuidePictureName;
  load(): Promise<MarkdownModule>;
}
