import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { minify, type Plugin, type ViteBuilder } from 'vite';
import type { SiteManifest } from '#contract/site-manifest.ts';
import { compressFiles } from './compress.ts';

/** What `src/app/prerender.tsx` exports. */
interface Prerenderer {
  sitePaths: string[];
  appPaths: string[];
  /** @returns the markup for the head and for the body of a page; the body is empty for the shell */
  renderPage(path: string, origin: string): Promise<{ head: string; body: string }>;
  renderNotFound(origin: string): Promise<{ head: string; body: string }>;
  renderShell(): { head: string; body: string };
  /** @returns other files by path */
  renderFiles(origin: string): Promise<Record<string, { content: string; type: string }>>;
}

const dist = join(import.meta.dirname, '..', 'dist');

/** Stands for the public address, which only the server knows. The domain `.invalid` is reserved (RFC 2606). */
const origin = 'https://origin.invalid';

/**
 * Builds the app for the browser to `dist/static` and writes every public page as HTML to `dist/pages`, with
 * `dist/site.json` for the server (docs/decisions/0031-public-pages-are-prerendered.md).
 */
export function prerender(): Plugin {
  return {
    name: 'packshot:prerender',
    apply: 'build',
    config: () => ({
      environments: {
        client: { build: { outDir: 'dist/static', emptyOutDir: true } },
        ssr: {
          build: {
            outDir: 'dist/prerender',
            emptyOutDir: true,
            // Pictures that only the heads of pages name.
            emitAssets: true,
            copyPublicDir: false,
            minify: false,
            ssr: true,
            rolldownOptions: { input: 'src/app/prerender.tsx' },
          },
        },
      },
      builder: { buildApp: buildEverything },
    }),
  };
}

async function buildEverything(builder: ViteBuilder): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await Promise.all([builder.build(builder.environments.client!), builder.build(builder.environments.ssr!)]);
  await writePages();
  for (const script of ['check-browser.js', 'prepare.js']) await minifyScript(join(dist, 'static', script));
  await compressFiles(join(dist, 'static'));
}

/** Vite copies the files of `public` as they are. */
async function minifyScript(file: string): Promise<void> {
  const { code, errors } = await minify(file, await readFile(file, 'utf8'));
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  await writeFile(file, code);
}

async function writePages(): Promise<void> {
  const templateFile = join(dist, 'static', 'index.html');
  const template = await readFile(templateFile, 'utf8');
  await rm(templateFile);
  const prerenderer: Prerenderer = await import(pathToFileURL(join(dist, 'prerender', 'prerender.js')).href);
  const pages: Record<string, string> = {};
  for (const path of prerenderer.sitePaths) {
    pages[path] = `${path === '/' ? 'index' : path.slice(1)}.html`;
    await writePage(pages[path], path, await prerenderer.renderPage(path, origin));
  }
  await writePage('404.html', '*', await prerenderer.renderNotFound(origin));
  await writePage('app.html', '', prerenderer.renderShell());
  const files: SiteManifest['files'] = {};
  for (const [path, { content, type }] of Object.entries(await prerenderer.renderFiles(origin))) {
    files[path] = { file: path.slice(1), type };
    await writeFileOfSite(files[path].file, content);
  }
  const manifest: SiteManifest = {
    origin,
    pages,
    files,
    appPaths: prerenderer.appPaths,
    shell: 'app.html',
    notFound: '404.html',
  };
  await writeFile(join(dist, 'site.json'), JSON.stringify(manifest, null, 2));
  await cp(join(dist, 'prerender', 'assets'), join(dist, 'static', 'assets'), {
    recursive: true,
    force: false,
    filter: (file) => !/\.(?:js|css)$/.test(file),
  });
  await rm(join(dist, 'prerender'), { recursive: true });

  async function writePage(file: string, path: string, { head, body }: { head: string; body: string }) {
    const html = fillTemplate(template, { head, body, path });
    // The content security policy refuses them (server/plugins/headers.ts).
    if (/<[^>]+\sstyle=|<style\b/.test(html)) throw new Error(`${path} has styles in its markup`);
    await writeFileOfSite(file, html);
  }

  async function writeFileOfSite(file: string, content: string) {
    const to = join(dist, 'pages', file);
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, content);
  }
}

/** @throws when the template lacks a place to fill */
function fillTemplate(template: string, { head, body, path }: Record<'head' | 'body' | 'path', string>) {
  const parts = /^(.*)<title>.*?<\/title>(.*)<div id="root"><\/div>(.*)$/s.exec(template);
  if (!parts) throw new Error('index.html needs a <title> and an empty <div id="root">');
  const root = `<div id="root" data-path="${path}">${body}</div>`;
  return `${parts[1]}${head}${parts[2]}${root}${parts[3]}`;
}
