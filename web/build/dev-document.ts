import type { Plugin } from 'vite';

/** Marks the document in development as the server marks that of a try-out with sketches. */
export function devDocument(): Plugin {
  return {
    name: 'packshot:dev-document',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace('<html ', '<html data-try-out data-sketches '),
  };
}
