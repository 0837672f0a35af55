import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { SiteManifest } from '#contract/site-manifest.ts';

/**
 * Writes a built web app of two pages, for tests of how it is served.
 * @param assets content of its files under `assets`, by name; those of scripts and styles are there compressed, too
 */
export async function writeSmallSite(folder: string, assets: Record<string, string>): Promise<void> {
  const manifest: SiteManifest = {
    origin: 'https://origin.invalid',
    pages: { '/': 'index.html' },
    files: {},
    appPaths: ['/dashboard'],
    shell: 'index.html',
    notFound: 'index.html',
  };
  await Promise.all(['pages', 'static/assets'].map((name) => mkdir(join(folder, name), { recursive: true })));
  await writeFile(join(folder, 'site.json'), JSON.stringify(manifest));
  await writeFile(
    join(folder, 'pages', 'index.html'),
    '<!doctype html><html lang="en"><title>A page</title></html>',
  );
  for (const [name, content] of Object.entries(assets)) {
    const path = join(folder, 'static', 'assets', name);
    await writeFile(path, content);
    if (!/\.(?:js|css)$/.test(name)) continue;
    await writeFile(`${path}.br`, brotliCompressSync(content));
    await writeFile(`${path}.gz`, gzipSync(content));
  }
}
