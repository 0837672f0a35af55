/** Faults of the storage: of the folder and its disk, or of the S3 server and the connections to it. */
import { rename } from 'node:fs/promises';
import { programNames } from '#tests/campaigns/support/hops.ts';
import type { ProxiedStack } from '#tests/campaigns/support/stack.ts';
import type { Fault } from '../fault.ts';
import { answersLost, between, cut, refuse, reset, silent, slow } from './connections.ts';

const onFolder = ({ storage }: ProxiedStack) => storage.kind === 'folder';
const onS3 = ({ storage }: ProxiedStack) => storage.kind === 's3';

/** The storage folder is gone, as when its volume is not mounted. */
const storageAway: Fault = {
  name: 'storage-away',
  hop: 'server, worker → storage folder',
  isPossible: onFolder,
  async begin({ storage }) {
    if (storage.kind !== 'folder') throw new Error('there is no folder');
    const { folder } = storage;
    const away = `${folder}-away`;
    const moved = await rename(folder, away).then(
      () => true,
      // Another fault of this kind is under way.
      () => false,
    );
    return async () => {
      if (moved) await bringBack(folder, away);
    };
  },
};

/** What was made in its place meanwhile is not part of the storage: without its marker, nothing is stored there. */
async function bringBack(folder: string, away: string): Promise<void> {
  await rename(folder, `${away}-${Date.now()}`).catch(() => {});
  await rename(away, folder);
}

const someRoom = 2 ** 20;

/** The disk of the storage folder is full, or has room for small files only. */
const diskFull: Fault = {
  name: 'disk-full',
  hop: 'server, worker → storage folder',
  isPossible: ({ storage }) => storage.kind === 'folder' && 'leaveFree' in storage.disk,
  async begin({ storage }, random) {
    if (storage.kind !== 'folder' || !('leaveFree' in storage.disk)) throw new Error('there is no disk');
    const { disk } = storage;
    await disk.leaveFree(random.pick([0, 0, someRoom]));
    return () => disk.restore();
  },
};

/** The S3 server answers 503 to all requests, or nothing. */
const behaving = (name: string, behaviour: 'busy' | 'hang'): Fault => ({
  name,
  hop: 'S3 server',
  isPossible: onS3,
  async begin({ storage }) {
    if (storage.kind !== 's3') throw new Error('there is no S3 server');
    const { faulty } = storage;
    faulty.behave(behaviour);
    return async () => faulty.behave('pass');
  },
});

/** The process of the S3 server; a bucket that was given has none here. */
const ofServer = (name: string, begin: 'kill' | 'pause'): Fault => ({
  name,
  hop: 'S3 server',
  isPossible: ({ storage }) => storage.kind === 's3' && storage.server !== undefined,
  async begin({ storage }) {
    const server = storage.kind === 's3' ? storage.server : undefined;
    if (!server) throw new Error('there is no S3 server to stop');
    await server[begin]();
    return async () => (begin === 'kill' ? server.start() : server.resume());
  },
});

const hop = ['server, worker → S3 server', programNames.map((name) => `${name}→storage` as const)] as const;
const connection = (name: string, begin: Parameters<typeof between>[3]): Fault => ({
  ...between(name, ...hop, begin),
  isPossible: onS3,
});

export const storageFaults: readonly Fault[] = [
  storageAway,
  diskFull,
  behaving('storage-busy', 'busy'),
  behaving('storage-hangs', 'hang'),
  ofServer('kill-storage', 'kill'),
  ofServer('pause-storage', 'pause'),
  connection('cut-storage', cut),
  connection('refuse-storage', refuse),
  connection('reset-storage', reset),
  connection('slow-storage', slow),
  connection('silent-storage', silent),
  connection('storage-answers-lost', answersLost),
];
