/** The disk of the storage folder is full while generations run. */

import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hasEnded } from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { listAllGenerations } from '#tests/campaigns/support/rows.ts';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { requestGeneration } from '#tests/support/api-client.ts';
import { type BenchSeller, createBenchSeller } from '#tests/support/connected-seller.ts';
import { limitMs } from '#tests/support/machine.ts';
import { samplePhotoFile, samplePrompt } from '#tests/support/sample-photo.ts';
import { mountSmallDisk, NotMounted, type SmallDisk } from '#tests/support/small-disk.ts';
import { answered, equal, type Figure, NotRun, testAttack } from './runner.ts';

const generations = 6;
/** Fewer than the generations: some have a result that cannot be stored, the others' provider calls have not begun. */
const concurrency = 2;
const uploads = 4;
/** Long enough for a worker to retry several times, in ms. */
const fullIntervalMs = 30_000;
/** How long the generations may take to finish once the disk has space, in ms. */
const recoveryMs = limitMs(60_000);
/** The server caches the state of its folder for up to a second. */
const cacheIntervalMs = 2_000;
const pollIntervalMs = 500;

testAttack(
  `the disk is full for ${fullIntervalMs / 1_000} s while ${generations} generations run`,
  async (stack) => {
    const disk = await mountOver(stack.storageFolder);
    return attack(stack, disk, await createBenchSeller(stack)).finally(() => disk.unmount());
  },
  {
    settings: {
      WORKER_CONCURRENCY: String(concurrency),
      WORKER_LOCK_MS: String(limitMs(3_000)),
      UPKEEP_INTERVAL_MS: '3000',
      STORAGE_RESERVE_MB: '8',
    },
  },
);

async function attack(stack: CampaignStack, disk: SmallDisk, seller: BenchSeller): Promise<Figure[]> {
  const { db, images } = stack;
  await images.set({ default: { kind: 'hold' } });
  for (let count = 0; count < generations; count += 1) await seller.submit();
  await images.waitFor({ waiting: concurrency });

  await disk.leaveFree(0);
  await images.set({ default: { kind: 'ok' } });
  await images.release();
  const statuses: number[] = [];
  for (let count = 0; count < uploads; count += 1) statuses.push(await upload(stack, seller));
  await wait(cacheIntervalMs);
  const ready = (await fetch(`${stack.url}/readyz`)).status;
  await wait(fullIntervalMs);

  await disk.restore();
  const deadline = Date.now() + recoveryMs;
  let rows = await listAllGenerations(db);
  while (Date.now() < deadline && !rows.every(({ state }) => hasEnded(state))) {
    await wait(pollIntervalMs);
    rows = await listAllGenerations(db);
  }
  const { calls } = await images.state();
  const left = await unfinishedFiles(stack.storageFolder);
  return [...figuresWhileFull(statuses, ready), ...figuresAfterwards(rows, calls.length, left)];
}

function figuresWhileFull(statuses: readonly number[], ready: number): Figure[] {
  return [
    answered('replies to uploads while the disk is full', statuses, 503),
    equal('/readyz while the disk is full', ready, 503),
  ];
}

function figuresAfterwards(rows: readonly GenerationRow[], calls: number, left: number): Figure[] {
  const failed = rows.filter(({ state }) => state === 'failed').map(({ failure }) => failure?.detail);
  const succeeded = rows.filter(({ state }) => state === 'succeeded').length;
  return [
    equal(`provider calls for ${generations} generations`, calls, generations),
    equal(`generations that failed${failed.map((detail) => `; ${detail}`).join('')}`, failed.length, 0),
    equal('generations that succeeded once the disk had space', succeeded, generations),
    equal('rows of rejected uploads', rows.length - generations, 0),
    equal('unfinished files left', left, 0),
  ];
}

/**
 * Mounts a small disk over the storage folder and copies the folder's files to it.
 * @throws NotRun when mounting is not allowed
 */
async function mountOver(folder: string): Promise<SmallDisk> {
  const kept = await mkdtemp(join(tmpdir(), 'packshot-attack-'));
  try {
    await cp(folder, kept, { recursive: true });
    const disk = await mountSmallDisk(folder, 64);
    await cp(kept, folder, { recursive: true });
    return disk;
  } catch (error) {
    throw error instanceof NotMounted ? new NotRun(error.message) : error;
  } finally {
    await rm(kept, { recursive: true });
  }
}

/** @returns the response's status */
async function upload({ url }: CampaignStack, { token }: BenchSeller): Promise<number> {
  const photo = new Blob([new Uint8Array(await readFile(samplePhotoFile))], { type: 'image/png' });
  const fileName = 'coffee-cup.png';
  const response = await requestGeneration(url, token, { prompt: samplePrompt, photo, fileName });
  await response.arrayBuffer();
  return response.status;
}

async function unfinishedFiles(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return files.filter(
    (file) =>
      file.isFile() && (file.name.endsWith('.unfinished') || basename(file.parentPath) === 'incoming'),
  ).length;
}
