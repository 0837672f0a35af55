/**
 * `npm run campaign -- cutout-check`: how well photos that cannot be cut out are told from those that can. Thresholds are
 * chosen on the development half of the products; the other half is the report.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { oneOf, readCommandLine, refuse } from '#scripts/command-line.ts';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { leastConfidence } from '#shared/cutout/confidence.ts';
import { argumentsOfModel } from '#shared/cutout/model-arguments.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { type Half, halfOf } from '#tests/campaigns/support/halves.ts';
import { describeMachine } from '#tests/campaigns/support/machine.ts';
import { createRandom } from '#tests/support/random.ts';
import type { CheckReport } from './check-process.ts';
import { ownPhotos, photosOf } from './photos.ts';
import { unusablePictures } from './unusable.ts';
import { showsHand, verdictOn } from './verdicts.ts';

const checkTimeoutMs = 600_000;

const {
  values: { seed, photos: folder, half, each, model },
} = readCommandLine('cutout-check', {
  typed: 'npm run campaign -- cutout-check',
  about: 'Measures how well photos that cannot be cut out are told from those that can.',
  options: {
    seed: { takes: 'SEED', default: 39, about: 'of the halves and of the unusable pictures' },
    photos: {
      takes: 'FOLDER',
      default: join(rootFolder, '..', 'shared', 'products', 'real'),
      about: 'with photographs, which are not in the repository',
    },
    half: { takes: 'HALF', default: 'report', about: 'development or report' },
    each: { takes: 'COUNT', default: 2, about: 'unusable pictures of a kind' },
    model: { takes: 'FILE', default: '', about: 'another model, as CUTOUT_MODEL' },
  },
});
const chosen: Half = oneOf('cutout-check', '--half', ['development', 'report'], half);
if (!existsSync(folder))
  refuse('cutout-check', `${folder} does not exist: --photos names photographs to measure with`);

/** A photo with what became of it. */
interface Checked extends CheckReport {
  name: string;
  kind: string;
}

const real = photosOf(folder);
const own = ownPhotos();
const ofHalf = new Set(
  halfOf(
    [...real, ...own].map(({ name }) => name),
    chosen,
    seed,
  ),
);
const inHalf = ({ name }: { name: string }) => ofHalf.has(name);
const checker = fork(
  new URL('check-process.ts', import.meta.url),
  argumentsOfModel(model === '' ? undefined : { file: model }),
  { serialization: 'advanced', env: childEnvironment({}) },
);
const checked: Checked[] = [];
try {
  console.log(`seed ${seed}, the ${chosen} half of ${folder} and of our own photos, ${describeMachine()}`);
  for (const { name, bytes } of [...real, ...own].filter(inHalf)) {
    await add(name, verdictOn(name) ?? 'good', bytes);
  }
  const random = createRandom(chosen === 'report' ? seed + 1 : seed);
  // Products in a hand, and half in the frame, are not good photos to make unusable ones of.
  const photos = [...real, ...own]
    .filter(inHalf)
    .filter(({ name }) => (verdictOn(name) ?? 'good') === 'good');
  const masked = photos.filter(({ mask }) => mask !== null);
  let turn = 0;
  for await (const { kind, picture } of unusablePictures({ random, photos, masked }, each)) {
    turn += 1;
    await add(`${kind} ${turn}`, `unusable: ${kind}`, picture);
  }
} finally {
  checker.kill();
}
summarise();

async function add(name: string, kind: string, photo: Buffer): Promise<void> {
  const report = await check(checker, photo);
  checked.push({ name, kind, ...report });
  const { confidence, refused, warnings } = report;
  console.log(
    `  ${kind.padEnd(34)} ${name.padEnd(38)} ${confidence?.toFixed(2) ?? '–   '} ${(refused ?? 'cut').padEnd(15)} ${warnings.join(', ')}`,
  );
}

async function check(process: ChildProcess, photo: Buffer): Promise<CheckReport> {
  const answer = once(process, 'message', { signal: AbortSignal.timeout(checkTimeoutMs) });
  process.send(photo);
  const [report] = (await answer) as [CheckReport];
  return report;
}

function summarise(): void {
  const count = (about: string, rows: Checked[], holds: (row: Checked) => boolean) => {
    const held = rows.filter(holds).length;
    console.log(
      `${about}: ${held} of ${rows.length}${rows.length > 0 ? `, ${((held / rows.length) * 100).toFixed(0)} %` : ''}`,
    );
  };
  const good = checked.filter(({ kind }) => kind === 'good');
  const unusable = checked.filter(({ kind }) => kind.startsWith('unusable'));
  const photographs = checked.filter(({ kind }) => !kind.startsWith('unusable'));
  const has = (warning: string) => (row: Checked) => row.warnings.includes(warning);
  const isRefused = ({ refused }: Checked) => refused !== undefined;
  console.log(`the limit of the confidence is ${leastConfidence}`);
  count('good photos that are cut', good, (row) => !isRefused(row));
  count('good photos with a warning (false)', good, ({ warnings }) => warnings.length > 0);
  const others = unusable.filter(({ kind }) => !/hand|watermark/.test(kind));
  count('unusable pictures that are refused', unusable, isRefused);
  count('the same without hands and watermarks', others, isRefused);
  count('unusable pictures with a warning', unusable, ({ warnings }) => warnings.length > 0);
  const wrong = photographs.filter(({ kind }) => kind !== 'good');
  count('photographs that a person would not use, refused', wrong, isRefused);
  count(
    'photographs that a person would not use, with a warning',
    wrong,
    ({ warnings }) => warnings.length > 0,
  );
  count(
    'hands found',
    photographs.filter(({ name }) => showsHand(name)),
    has('held'),
  );
  count(
    'hands found where there are none (false)',
    photographs.filter(({ name }) => !showsHand(name)),
    has('held'),
  );
  const times = checked.map(({ cpuMs }) => cpuMs);
  console.log(
    `processor time of a check: mean ${(times.reduce((sum, ms) => sum + ms, 0) / times.length).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms`,
  );
}
