import { join } from 'node:path';
import type { SiteManifest } from '#contract/site-manifest.ts';
import type { ServerContext } from '#server/http/context.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { readBuiltAssets } from './assets.ts';
import { readSiteManifest } from './manifest.ts';
import { openReleases, type Releases } from './releases.ts';

/** Where `npm run build` puts the web app. */
export const builtSite = join(rootFolder, 'web', 'dist');

/** The built web app that a server serves. */
export interface Site {
  /** The build's result. */
  folder: string;
  manifest: SiteManifest;
  releaseId: string;
  releases: Releases;
}

/**
 * Opens the built web app and stores its assets for the other servers.
 * @returns null when it is not built
 * @throws when its manifest is not as the contract says
 */
export async function openSite(
  folder: string,
  { config, storage, log }: Pick<ServerContext, 'config' | 'storage' | 'log'>,
): Promise<Site | null> {
  const manifest = await readSiteManifest(folder);
  if (manifest === null) return null;
  const assets = await readBuiltAssets(join(folder, 'static', 'assets'));
  const releases = openReleases({ storage, reserveBytes: config.storageReserveBytes, assets, log });
  await releases.publish();
  return { folder, manifest, releaseId: assets.releaseId, releases };
}
