/** A compiled Markdown file. */
export type MarkdownModule = typeof import('./about.md');

/** What lists, heads and feeds show of an article, and how to load its text. */
export interface Article {
  /** The last part of its address. */
  slug: string;
  title: string;
  /** One or two sentences, at most 160 characters. */
  description: string;
  /** The name of its picture, without size and file type. */
  picture: string;
  load(): Promise<MarkdownModule>;
}
