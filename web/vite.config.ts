import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where the server listens unless told otherwise; `scripts/start/main.ts --dev` passes the real address. */
const server = 'http://127.0.0.1:3000';

/** Builds the app to web/dist; in development passes the API and the socket on to the server. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0 },
  server: {
    // The contract lies beside web/, outside Vite's root.
    fs: { allow: [join(import.meta.dirname, '..')] },
    proxy: { '/api': server, '/socket.io': { target: server, ws: true } },
  },
});
