import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SiteManifest, siteManifestSchema } from '#contract/site-manifest.ts';

/**
 * Reads what the build of the web app says about its pages.
 * @param folder the build's result, `web/dist`
 * @returns null when the web app is not built
 * @throws when the manifest is not as the contract says
 */
export async function readSiteManifest(folder: string): Promise<SiteManifest | null> {
  const text = await readFile(join(folder, 'site.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : siteManifestSchema.parse(JSON.parse(text));
}
