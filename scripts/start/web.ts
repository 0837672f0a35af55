/** The web app of a stack: built when its sources changed, or served by Vite with hot reload. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { childEnvironment } from './child-environment.ts';
import { runToEnd } from './run.ts';

const webFolder = join(rootFolder, 'web');
const builtFrom = join(webFolder, 'dist', '.built-from');

/**
 * Builds the web app unless `web/dist` was built from the same sources.
 * @param report called with a line before a build starts
 * @throws StackError when the build fails
 */
export async function buildWebApp(
  logFolder: string,
  report: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  if (!existsSync(join(webFolder, 'index.html'))) return;
  const sources = await fingerprint();
  if ((await readFile(builtFrom, 'utf8').catch(() => '')) === sources) return;
  report('building the web app …');
  const vite = join(rootFolder, 'node_modules', 'vite', 'bin', 'vite.js');
  // Vitest sets NODE_ENV to `test`, and Vite would then bundle React's development build.
  const environment = childEnvironment({ NODE_ENV: 'production' });
  await runToEnd('web build', [vite, 'build', 'web'], environment, logFolder, signal);
  await writeFile(builtFrom, sources);
}

/** Hashes path, size and modification time of every file that the build reads; reading the contents would take longer. */
async function fingerprint(): Promise<string> {
  const patterns = ['web/**/*', 'shared/contract/**/*', 'package-lock.json', 'package.json'];
  const files: string[] = [];
  for await (const file of glob(patterns, {
    cwd: rootFolder,
    exclude: (name) => name === 'web/dist' || name.endsWith('node_modules') || /\.test\.tsx?$/.test(name),
  })) {
    files.push(file);
  }
  const lines = await Promise.all(
    files.sort().map(async (file) => {
      const { size, mtimeMs, isFile } = await describe(join(rootFolder, file));
      return isFile ? `${file} ${size} ${mtimeMs}\n` : '';
    }),
  );
  return createHash('sha256').update(lines.join('')).digest('hex');
}

async function describe(file: string) {
  const { size, mtimeMs, ...entry } = await stat(file);
  return { size, mtimeMs, isFile: (entry.mode & 0o170000) === 0o100000 };
}

export interface WebDevServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves the web app with hot reload. Vite passes requests to the API and the socket on to the server.
 * @param serverUrl address of the API server
 */
export async function startWebDevServer(serverUrl: string): Promise<WebDevServer> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    root: webFolder,
    clearScreen: false,
    server: {
      host: '127.0.0.1',
      port: 5_173,
      proxy: {
        '/api': { target: serverUrl },
        '/socket.io': { target: serverUrl, ws: true },
      },
    },
  });
  await vite.listen();
  const url = vite.resolvedUrls?.local[0]?.replace(/\/$/, '');
  if (url === undefined) throw new Error('Vite did not say where it listens');
  return { url, close: () => vite.close() };
}
