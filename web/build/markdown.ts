import mdx from '@mdx-js/rollup';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import type { Plugin } from 'vite';
import { rehypeHeadings } from './rehype-headings.ts';
import { remarkFacts } from './remark-facts.ts';

/** Compiles Markdown to modules: the text as a component, and its headings (`src/content/markdown.d.ts`). */
export function markdown(): Plugin {
  const compiler = mdx({
    format: 'md',
    remarkPlugins: [remarkGfm, remarkFacts],
    rehypePlugins: [rehypeSlug, rehypeHeadings],
  });
  // Typed for Rollup; Vite's bundler takes the same plugins.
  return { ...(compiler as Plugin), enforce: 'pre' };
}
