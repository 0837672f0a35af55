/** The storage of a stack with proxies: a folder, on a small disk where that can be mounted, or a bucket of an S3 server. */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StackError } from '#scripts/start/process.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import type { BucketLocation } from '#shared/platform/storage-url.ts';
import { bucketSettings, givenBucket, makeBucket } from '#tests/support/s3/bucket.ts';
import { type FaultyS3, startFaultyS3 } from '#tests/support/s3/faulty-s3.ts';
import { hasS3Tool, toolCredentials } from '#tests/support/s3/server-tool.ts';
import { mountSmallDisk, NotMounted, type SmallDisk } from '#tests/support/small-disk.ts';
import type { TcpProxy } from '#tests/support/tcp-proxy.ts';
import { type ProgramName, programNames, type StorageHopName } from './hops.ts';
import { findLastingPort } from './ports.ts';
import type { CampaignProcess, Launcher } from './processes.ts';
import { filesInBucket, filesInFolder, type StoredFiles } from './stored-files.ts';

export type StorageKind = 'folder' | 's3';

interface AnyStorage {
  /** Settings of a program: it reaches the storage through its own proxy, if there is one. */
  settingsOf(program: ProgramName): GivenSettings;
  /** Settings with which nothing is in between. */
  settings: GivenSettings;
  files: StoredFiles;
}

interface FolderStorage extends AnyStorage {
  kind: 'folder';
  folder: string;
  /** The disk that it is on; or why there is none of its own. */
  disk: SmallDisk | NotMounted;
}

interface BucketStorage extends AnyStorage {
  kind: 's3';
  /** It is between the proxies and the S3 server. */
  faulty: FaultyS3;
  /** Undefined where the bucket was given. */
  server: CampaignProcess | undefined;
  hops: Record<StorageHopName, TcpProxy>;
}

export type CampaignStorage = FolderStorage | BucketStorage;

/**
 * Starts a storage.
 * @param workFolder the temporary folder of the programs, where they keep uploads before they are in a bucket
 * @throws StackError where there is no S3 server
 */
export function startStorage(
  kind: StorageKind,
  launcher: Launcher,
  workFolder: string,
): Promise<CampaignStorage> {
  return kind === 'folder' ? startFolder(launcher) : startBucket(launcher, workFolder);
}

/** More than 1,000 runs leave (about 0.2 MB each); a campaign of more stops for lack of room. */
const diskMegabytes = 2_048;

async function startFolder({ folder: root, onClose }: Launcher): Promise<FolderStorage> {
  const mountPoint = join(root, 'disk');
  const disk = await mountSmallDisk(mountPoint, diskMegabytes).catch((error) => {
    if (error instanceof NotMounted) return error;
    throw error;
  });
  if (!(disk instanceof NotMounted)) onClose(() => disk.unmount());
  // Not the mount point itself, which cannot be renamed.
  const folder = join(mountPoint, 'images');
  await mkdir(folder, { recursive: true });
  const settings = { STORAGE_URL: pathToFileURL(folder).href };
  return { kind: 'folder', folder, disk, settings, settingsOf: () => settings, files: filesInFolder(folder) };
}

async function startBucket(launcher: Launcher, workFolder: string): Promise<BucketStorage> {
  const given = givenBucket();
  const server = given ? undefined : await startServer(launcher);
  const found = given ?? (await makeBucket(server!.url!, toolCredentials));
  const location: BucketLocation = {
    ...found,
    prefix: `${found.prefix}campaign-${randomBytes(6).toString('hex')}/`,
  };
  const faulty = await startFaultyS3(location.endpoint);
  launcher.onClose(() => faulty.close());
  const hops = {} as Record<StorageHopName, TcpProxy>;
  for (const program of programNames) hops[`${program}→storage`] = await launcher.proxy(faulty.url);
  return {
    kind: 's3',
    faulty,
    server,
    hops,
    settings: bucketSettings(location),
    settingsOf: (program) =>
      bucketSettings({ ...location, endpoint: new URL(hops[`${program}→storage`].url).origin }),
    files: filesInBucket(location, workFolder),
  };
}

async function startServer({ run, folder }: Launcher): Promise<CampaignProcess> {
  if (!hasS3Tool()) {
    throw new StackError(
      '--storage s3 needs an S3 server: name a bucket in TEST_S3_URL, or have ../shared/tools/s3-server',
    );
  }
  return run({
    name: 's3',
    command: ['tests/support/s3/serve.ts', String(await findLastingPort()), join(folder, 's3')],
  });
}
