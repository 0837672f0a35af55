import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { oldestBrowsers } from '#contract/oldest-browsers.ts';
import { devDocument } from './build/dev-document.ts';
import { markdown } from './build/markdown.ts';
import { prerender } from './build/prerender.ts';
import { withoutJsonSchema } from './build/without-json-schema.ts';
import { withoutStyleElements } from './build/without-style-elements.ts';

/** The server's default address; `scripts/start/main.ts --dev` overrides it. */
const server = 'http://127.0.0.1:3000';

/** What every page uses; none of it may import zod or TanStack Query. */
const commonCode =
  /\/@tanstack\/react-query\/.*\/QueryClientProvider\.|\/lucide-react\/.*\/(?:Icon|createLucideIcon|defaultAttributes|context|shared\/|utils\/|icons\/(?:check|chevron-left|chevron-right)\.)|\/shared\/contract\/(?:paths|signed-in-cookie|themes|limits|plan-list|plan-table|templates)\.|\/web\/src\/(?:content\/(?:guides|posts)\.|ui\/(?:logo|button|spinner)|lib\/(?:component-code|field-entries|full-load|page|price|signed-in-flag|theme)\.)/;

/** What every public page uses besides: its header and footer. */
const siteCode =
  /\/lucide-react\/.*\/icons\/(?:menu|monitor|moon|sun)\.|\/web\/src\/(?:ui\/(?:site\/site-|theme-switch)|lib\/site-pages\.)/;

/** What every page uses that calls the API. */
const clientCode = /\/web\/src\/lib\/(?:api|clock|leaving|query-keys|release|request-end)\./;

/** The icons that every page for signed-in sellers shows at once, or nearly every one. */
const signedInIcons =
  /\/lucide-react\/.*\/icons\/(?:ban|bell|circle-check|circle-exclamation-point|circle-question-mark|folder-open|image-plus|images|layers|plus|sparkles|star|wifi-off|x)\./;

/** Small things that most pages for signed-in sellers use: each in a file of its own, they were not even compressed. */
const signedInCode =
  /\/shared\/contract\/(?:cut-text|generation-states|image-sizes|image-styles|isolate-name|photo-names|text)\.|\/web\/src\/(?:ui\/(?:merge-refs|name)|app\/shown-query|lib\/(?:shortcut|single-keys))\./;

/** Builds the app to web/dist; in development it proxies the API and the socket to the server. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    markdown(),
    react(),
    tailwindcss(),
    prerender(),
    devDocument(),
    withoutJsonSchema(),
    withoutStyleElements(),
  ],
  build: {
    target: Object.entries(oldestBrowsers).map(([browser, version]) => browser + version),
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The contract only defines things: a page gets those that it uses, and zod only if one of them needs it.
      // Reading a property changes nothing, so what is only built of others is left out as well.
      treeshake: {
        moduleSideEffects: [{ test: /\/shared\/contract\//, sideEffects: false }],
        propertyReadSideEffects: false,
      },
      output: {
        // Few files instead of many small ones: they compress better and arrive together.
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /\/node_modules\/(?:react|react-dom|scheduler)\//,
            },
            { name: 'router', test: /\/node_modules\/react-router(?:-dom)?\// },
            { name: 'common', test: commonCode },
            { name: 'site', test: siteCode },
            { name: 'client', test: clientCode },
            { name: 'icons', test: signedInIcons },
            { name: 'signed-in', test: signedInCode },
            { name: 'query', test: /\/node_modules\/@tanstack\/(?:react-query|query-core)\// },
          ],
        },
      },
    },
  },
  server: {
    // The contract is outside of Vite's root.
    fs: { allow: [join(import.meta.dirname, '..')] },
    proxy: { '/api': server, '/socket.io': { target: server, ws: true } },
  },
});
