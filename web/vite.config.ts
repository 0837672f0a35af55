import { join } from 'node:path';
import mdx from '@mdx-js/rollup';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import { defineConfig, type Plugin } from 'vite';
import { prerender } from './build/prerender.ts';
import { rehypeHeadings } from './src/content/rehype-headings.ts';
import { remarkFacts } from './src/content/remark-facts.ts';

/** The server's default address; `scripts/start/main.ts --dev` overrides it. */
const server = 'http://127.0.0.1:3000';

/** Compiles the Markdown of `src/content` to modules: the text as a component, and its headings. */
const markdown: Plugin = {
  ...mdx({
    format: 'md',
    remarkPlugins: [remarkGfm, remarkFacts],
    rehypePlugins: [rehypeSlug, rehypeHeadings],
  }),
  enforce: 'pre',
};

/** Builds the app to web/dist; in development it proxies the API and the socket to the server. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [markdown, react(), tailwindcss(), prerender()],
  build: { assetsInlineLimit: 0 },
  server: {
    // The contract is outside of Vite's root.
    fs: { allow: [join(import.meta.dirname, '..')] },
    proxy: { '/api': server, '/socket.io': { target: server, ws: true } },
  },
});
