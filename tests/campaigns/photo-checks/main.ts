/**
 * `npm run campaign -- photo-checks`: measures which photos get a warning, with photographs that are degraded in many ways
 * and with good ones. `--seed N` splits the photographs into other halves and degrades them otherwise.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readCommandLine } from '#scripts/command-line.ts';
import { normalise } from '#server/decoder/normalise.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import type { Half } from '#tests/campaigns/support/halves.ts';
import { describeMachine } from '#tests/campaigns/support/machine.ts';
import { degradations, degradedJpeg, type Picture, readPicture } from './degrade.ts';
import { cutOutPhotos, drawnPhotos } from './drawn.ts';
import { photographsOf, sampleFolder } from './photos.ts';
import { type CheckedPhoto, printSummary, printWrong } from './report.ts';

const {
  values: { seed, photos, half, keep },
} = readCommandLine('photo-checks', {
  typed: 'npm run campaign -- photo-checks',
  about: 'Measures which photos get a warning: degraded photographs, and good ones.',
  options: {
    seed: { takes: 'SEED', default: 39, about: 'of the halves and of what is done to the photographs' },
    photos: {
      takes: 'FOLDER',
      default: join(rootFolder, '../shared/products/real'),
      about: 'with photographs, several of one product told apart by a number at the end of their names',
    },
    half: { takes: ['development', 'report', 'all'], default: 'all', about: 'of the products to measure' },
    keep: { takes: 'FOLDER', about: 'to which every photo with a wrong answer is written, to look at it' },
  },
});

const work = mkdtempSync(join(tmpdir(), 'photo-checks-'));
if (keep !== undefined) mkdirSync(keep, { recursive: true });
const plain = degradations['as it is']!;
const checked: CheckedPhoto[] = [];
try {
  console.log(`seed ${seed}, ${describeMachine()}`);
  for (const [set, folder] of [
    ['photographs', photos],
    ['samples', sampleFolder],
  ] as const) {
    const chosen = photographsOf(folder, seed).filter((photo) => half === 'all' || photo.half === half);
    for (const { name, path, half: ofHalf } of chosen) {
      const picture = await readPicture(path);
      for (const [index, kind] of Object.keys(degradations).entries())
        await check(set, ofHalf, name, kind, picture, seed + index);
    }
  }
  const names = photographsOf(sampleFolder, seed).map(({ name }) => basename(name, '.jpg'));
  for (const { name, picture } of drawnPhotos(seed))
    await check('drawn', null, name, 'as it is', picture, seed);
  for await (const { name, picture } of cutOutPhotos(names))
    await check('cut out', null, name, 'as it is', picture, seed);
  printSummary(checked);
} finally {
  rmSync(work, { recursive: true });
}

/** Degrades a photo and has it checked as the server checks what it receives. */
async function check(
  set: string,
  ofHalf: Half | null,
  name: string,
  kind: string,
  picture: Picture,
  degradeSeed: number,
): Promise<void> {
  const degradation = degradations[kind] ?? plain;
  const jpeg = await degradedJpeg(picture, degradation, degradeSeed);
  const path = join(work, 'photo.jpg');
  writeFileSync(path, jpeg);
  const outcome = await normalise({ path, target: join(work, 'stored.jpg') });
  if (!('result' in outcome)) throw new Error(`${name}, ${kind}: it was refused`);
  // Its size is no matter of judgement.
  const warnings = outcome.result.warnings.filter((warning) => warning !== 'small');
  const photo = { set, half: ofHalf, name, kind, expected: degradation.warning, warnings };
  checked.push(photo);
  if (printWrong(photo) && keep !== undefined)
    writeFileSync(join(keep, `${name} ${kind}.jpg`.replaceAll(/[^\w.]+/g, '-')), jpeg);
}
