import { createProcessor } from '@mdx-js/mdx';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import type { Plugin } from 'vite';
import { rehypeHeadings } from './rehype-headings.ts';
import { remarkFacts } from './remark-facts.ts';

/** Compiles Markdown to modules: the text as a component, and its headings (`src/content/markdown.d.ts`). */
export function markdown(): Plugin {
  const processor = createProcessor({
    format: 'md',
    remarkPlugins: [remarkGfm, remarkFacts],
    rehypePlugins: [rehypeSlug, rehypeHeadings],
  });
  return {
    name: 'markdown',
    enforce: 'pre',
    transform: {
      filter: { id: /\.md$/ },
      async handler(text, path) {
        const compiled = await processor.process({ value: text, path });
        return { code: String(compiled), map: null };
      },
    },
  };
}
