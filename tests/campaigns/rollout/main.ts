/**
 * `npm run campaign -- rollout --before FOLDER`: two servers behind nginx with TLS, while sellers submit images: workers are added
 * and taken away, every process is killed, this release replaces the one before in the order of the runbook, and is taken back.
 * Ends with 1 if an image is lost, counted twice or refused, or the audit finds something.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readCommandLine, refuse } from '#scripts/command-line.ts';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { openBilling } from '#shared/billing/client.ts';
import { connectDb } from '#shared/data/connect.ts';
import { openQueue } from '#shared/platform/queue.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { openStorage } from '#shared/storage/open-storage.ts';
import { awaitIdle } from '#tests/campaigns/chaos/rest.ts';
import { describeMachine } from '#tests/campaigns/support/machine.ts';
import { filesInFolder } from '#tests/campaigns/support/stored-files.ts';
import { hasNginx } from '#tests/support/nginx.ts';
import { samplePhotoFile } from '#tests/support/sample-photo.ts';
import { checkProxy } from './check-proxy.ts';
import { beginWork, type Work } from './sellers.ts';
import { type Release, type RolloutStack, startRolloutStack } from './stack.ts';

const { values } = readCommandLine('rollout', {
  typed: 'npm run campaign -- rollout',
  about: 'Scales, kills, upgrades and takes back a stack behind nginx with TLS while images are made.',
  options: {
    before: {
      takes: 'FOLDER',
      about: 'a checkout of the release before, with its packages and its built web app',
    },
    sellers: { takes: 'COUNT', default: 12, about: 'who submit an image every 3 s' },
    seconds: { takes: 'COUNT', default: 10, about: 'how long each state lasts' },
    photos: { takes: 'FOLDER', about: 'photos to send instead of the sample' },
  },
});
if (values.before === undefined) refuse('rollout', 'it needs --before FOLDER');
if (!(await hasNginx())) refuse('rollout', 'nginx is not installed (Debian: nginx-light)');

const before: Release = { name: 'before', folder: resolve(values.before!) };
const now: Release = { name: 'now', folder: rootFolder };

/** How long the provider takes for an image, and until everything may have come to rest, in ms. */
const [providerMs, restBoundMs] = [800, 180_000];

const folder = await mkdtemp(join(tmpdir(), 'packshot-rollout-'));
const stack = await startRolloutStack(folder, before);
try {
  process.exitCode = (await rollOut(stack)) ? 0 : 1;
} finally {
  await stack.close();
  if (process.exitCode === 0) await rm(folder, { recursive: true, force: true });
  else console.log(`logs: ${stack.logFolder}`);
}

/** @returns whether nothing is wrong */
async function rollOut({ config, servers, workers, services, images }: RolloutStack): Promise<boolean> {
  console.log(`${describeMachine()}; ${values.sellers} sellers, provider ${providerMs / 1_000} s`);
  await images.set({ default: { kind: 'slow', ms: providerMs } });
  const db = await connectDb(config.mongodbUrl);
  const queue = openQueue(config);
  // It reconnects when Redis is killed.
  queue.on('error', () => {});
  const billing = openBilling(config.billing);
  const storage = await openStorage(config.storage, db);
  const problems = await checkProxy({ stack, db });
  const work = await beginWork({ stack, db, billing }, values.sellers, await readPhotos());
  const step = (what: string, action: () => Promise<unknown>) => carryOut(work, what, action);

  await step('the release before, one worker', async () => {});
  await step('three workers', async () => {
    await stack.addWorker(before);
    await stack.addWorker(before);
  });
  await step('one worker again', async () => {
    await Promise.all(workers.splice(1).map((worker) => worker.terminate()));
  });
  await step('servers restarted, one after the other', async () => {
    for (let index = 0; index < servers.length; index += 1) await stack.replaceServer(index, before);
  });
  for (const [name, victim] of [
    ['a server', servers[0]!],
    ['the worker', workers[0]!],
    ['MongoDB', services.mongo],
    ['Redis', services.queue],
    ['nginx', services.nginx],
  ] as const) {
    await step(`${name} killed with -9 and started again`, async () => {
      await victim.kill();
      await victim.start();
    });
  }
  await step('migrate -- --check, then migrate -- --indexes', async () => {
    await runCommand(now, 'migrate', '--check');
    await runCommand(now, 'migrate', '--indexes');
  });
  await step('upgraded: servers, then the worker', () => replaceAll(now));
  await step('this release, three workers', async () => {
    await stack.addWorker(now);
    await stack.addWorker(now);
  });
  await step('one worker again', async () => {
    await Promise.all(workers.splice(1).map((worker) => worker.terminate()));
  });
  await step('taken back: servers, then the worker', () => replaceAll(before));
  await step('upgraded again', () => replaceAll(now));

  await work.end();
  const sources = {
    stack: { config },
    db,
    queue,
    billing,
    storage,
    // Uploads that a killed server has not finished are removed later than a campaign lasts.
    files: { ...filesInFolder(stack.storageFolder), unfinished: async () => [] },
    checkedFolders: new Set<string>(),
  };
  const { violations, rest, restMs } = await awaitIdle(sources, work.sellers, restBoundMs);
  for (const { rule, id, problem } of violations) problems.push(`${rule}: ${id}: ${problem}`);
  const rows = rest.sellers.flatMap((seller) => seller.rows);
  const accepted = work.sellers.flatMap(({ submissions }) =>
    submissions.flatMap((each) => each.accepted.flat()),
  );
  const made = new Set(rows.filter(({ state }) => state === 'succeeded').map(({ _id }) => _id));
  for (const id of accepted) if (!made.has(id)) problems.push(`${id} was accepted and not made`);
  const { calls } = await images.state();
  const counted = rest.sellers
    .flatMap(({ entries }) => entries)
    .filter(({ kind }) => kind === 'settle').length;
  console.log(
    `accepted ${new Set(accepted).size}, made ${made.size}, counted ${counted}, calls to the provider ${calls.length}; at rest after ${Math.round(restMs / 1_000)} s`,
  );
  for (const release of [before, now])
    await runCommand(release, 'audit').catch((error: Error) => problems.push(error.message));
  for (const { client } of work.sellers) client.close();
  problems.push(...(await assetProblems()));
  await queue.close();
  await db.close();
  for (const problem of problems) console.log(problem);
  console.log(`${problems.length} problems`);
  return problems.length === 0;
}

/** Carries out a step, lets its state last, and prints what sellers noticed of it. */
async function carryOut(work: Work, what: string, action: () => Promise<unknown>): Promise<void> {
  const lost = () => work.sellers.reduce((sum, { client }) => sum + client.disconnects, 0);
  const [began, lostBefore] = [performance.now(), lost()];
  work.take();
  await action();
  const took = (performance.now() - began) / 1_000;
  await wait(values.seconds * 1_000);
  const { accepted, sentAgain, refused } = work.take();
  const again = Object.entries(sentAgain).map(([why, count]) => `${count} × ${why}`);
  console.log(
    `${what}: ${took.toFixed(1)} s; accepted ${accepted}, refused ${refused}, sent again ${again.join(', ') || 0}, sockets lost ${lost() - lostBefore}`,
  );
}

/** As the runbook says it: servers, then workers, one after the other. */
async function replaceAll(release: Release): Promise<void> {
  for (let index = 0; index < stack.servers.length; index += 1) await stack.replaceServer(index, release);
  for (let index = 0; index < stack.workers.length; index += 1) await stack.replaceWorker(index, release);
}

/** Runs a command of a release on the stack. @throws Error with its output if it does not end with 0 */
async function runCommand(release: Release, name: string, ...options: string[]): Promise<void> {
  const command = [join(release.folder, 'scripts', name, 'main.ts'), ...options];
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    cwd: release.folder,
    env: childEnvironment(stack.settings),
  });
  console.log(`  ${release.name}: ${stdout.trim().split('\n').at(-1)}`);
}

async function readPhotos(): Promise<Blob[]> {
  const names =
    values.photos === undefined
      ? []
      : (await readdir(values.photos)).filter((name) => /\.(jpe?g|png|webp)$/.test(name));
  const files =
    values.photos === undefined ? [samplePhotoFile] : names.map((name) => join(values.photos!, name));
  return Promise.all(files.map(async (file) => new Blob([new Uint8Array(await readFile(file))])));
}

/** @returns a line for each release whose servers did not say that their assets are in the storage */
async function assetProblems(): Promise<string[]> {
  const problems: string[] = [];
  for (const { name } of [before, now]) {
    const files = (await readdir(stack.logFolder)).filter((file) => file.includes(`server-${name}`));
    const logs = await Promise.all(files.map((file) => readFile(join(stack.logFolder, file), 'utf8')));
    if (!logs.some((log) => log.includes('the assets of this release are in the storage')))
      problems.push(`no server of the release ${name} has said that its assets are in the storage`);
  }
  return problems;
}
