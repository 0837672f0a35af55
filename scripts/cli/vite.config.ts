import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';

/** Builds the package that `npm pack` packs: everything but `openapi-fetch` is in its own files. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    target: 'node20',
    outDir: 'package/dist',
    emptyOutDir: true,
    minify: false,
    lib: { entry: ['main.ts', 'client.ts'], formats: ['es'] },
    rolldownOptions: {
      external: [...builtinModules, /^node:/, 'openapi-fetch'],
      platform: 'node',
    },
  },
  resolve: { conditions: ['node'] },
});
