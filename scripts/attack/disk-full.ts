/** The disk of the storage folder is full while images are being made. */

import { execFile } from 'node:child_process';
import { cp, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hasEnded, paths } from '#contract';
import { createImageServerControl } from '#local/openai/control-client.ts';
import { type BenchSeller, createBenchSeller, samplePhoto, samplePrompt } from '#scripts/bench/seller.ts';
import type { BenchStack } from '#scripts/bench/stack.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import { listAllGenerations } from '#shared/data/load-tests.ts';
import { type Attack, type Figure, NotRun } from './attack.ts';

const run = promisify(execFile);

const generations = 6;
/** Fewer than the generations: some results have nowhere to go, the others' calls have not begun. */
const atOnce = 2;
const uploads = 4;
/** Long enough for a worker to try again several times, in ms. */
const fullMs = 30_000;
/** How long generations get to be made once there is room, in ms. */
const recoveryMs = 60_000;

export const diskFull: Attack = {
  name: 'disk-full',
  title: `the disk is full while ${generations} images are made, for ${fullMs / 1_000} s`,
  stack: {
    imageFlags: ['--mode', 'instant', '--control'],
    settings: {
      WORKER_CONCURRENCY: String(atOnce),
      WORKER_LOCK_MS: '3000',
      UPKEEP_INTERVAL_MS: '3000',
      STORAGE_RESERVE_MB: '8',
    },
  },
  async run(stack) {
    const folder = stack.config.storageFolder;
    const unmount = await mountSmallDisk(folder);
    const db = await connectDb(stack.config.mongodbUrl);
    const seller = await createBenchSeller(stack);
    try {
      return await attack(stack, seller, db);
    } finally {
      seller.close();
      await db.close();
      await unmount();
    }
  },
};

async function attack(stack: BenchStack, seller: BenchSeller, db: Db): Promise<Figure[]> {
  const images = createImageServerControl(`${new URL(stack.config.image.baseUrl!).origin}/control`);
  const filler = join(stack.config.storageFolder, 'filler');
  await images.set({ default: { kind: 'hold' } });
  for (let count = 0; count < generations; count += 1) await seller.submit();
  await images.waitFor({ waiting: atOnce });

  await fill(filler);
  await images.set({ default: { kind: 'ok' } });
  await images.release();
  const answers: number[] = [];
  for (let count = 0; count < uploads; count += 1) answers.push(await upload(stack, seller));
  // What a server knows of its folder is up to a second old.
  await wait(2_000);
  const ready = (await fetch(`${stack.url}/readyz`)).status;
  await wait(fullMs);

  await rm(filler);
  const deadline = Date.now() + recoveryMs;
  let rows = await listAllGenerations(db);
  while (Date.now() < deadline && !rows.every(({ state }) => hasEnded(state))) {
    await wait(500);
    rows = await listAllGenerations(db);
  }
  const { calls } = await images.state();
  const failed = rows.filter(({ state }) => state === 'failed').map(({ failure }) => failure?.detail);
  const made = rows.filter(({ state }) => state === 'succeeded').length;
  const left = await unfinishedFiles(stack.config.storageFolder);
  return [
    {
      what: 'answers to uploads while the disk is full',
      asked: `${uploads} × 503`,
      measured: answers.join(', '),
      held: answers.every((status) => status === 503),
    },
    { what: '/readyz while the disk is full', asked: '503', measured: String(ready), held: ready === 503 },
    {
      what: `provider calls for ${generations} generations`,
      asked: String(generations),
      measured: String(calls.length),
      held: calls.length === generations,
    },
    {
      what: 'generations that failed',
      asked: '0',
      measured: `${failed.length}${failed.length > 0 ? ` (${[...new Set(failed)].join('; ')})` : ''}`,
      held: failed.length === 0,
    },
    {
      what: 'generations made once there was room',
      asked: String(generations),
      measured: String(made),
      held: made === generations,
    },
    {
      what: 'rows of uploads that were refused',
      asked: '0',
      measured: String(rows.length - generations),
      held: rows.length === generations,
    },
    { what: 'unfinished files left', asked: '0', measured: String(left), held: left === 0 },
  ];
}

/** Puts a small disk in the place of the storage folder, with what is in the folder. @returns what takes it away */
async function mountSmallDisk(folder: string): Promise<() => Promise<void>> {
  const kept = await mkdtemp(join(tmpdir(), 'packshot-attack-'));
  try {
    await cp(folder, kept, { recursive: true });
    await run('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'packshot-attack', folder]).catch((error) => {
      const [reason] = String(error.stderr || error.message).split('\n');
      throw new NotRun(`a small disk cannot be mounted here, as root often can: ${reason}`);
    });
    await cp(kept, folder, { recursive: true });
  } finally {
    await rm(kept, { recursive: true });
  }
  return async () => void (await run('umount', ['--lazy', folder]));
}

/** Fills the disk to its last byte. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (let bytes = 2 ** 20; bytes >= 1; ) {
      await file.write(Buffer.alloc(bytes)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error;
        bytes = bytes === 1 ? 0 : Math.ceil(bytes / 16);
      });
    }
  } finally {
    await file.close();
  }
}

async function upload({ url }: BenchStack, { token }: BenchSeller): Promise<number> {
  const form = new FormData();
  form.set('prompt', samplePrompt);
  form.set(
    'images',
    new Blob([new Uint8Array(await samplePhoto())], { type: 'image/png' }),
    'coffee-cup.png',
  );
  const reply = await fetch(url + paths.generations, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  await reply.arrayBuffer();
  return reply.status;
}

async function unfinishedFiles(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return files.filter(
    (file) =>
      file.isFile() && (file.name.endsWith('.unfinished') || basename(file.parentPath) === 'incoming'),
  ).length;
}
