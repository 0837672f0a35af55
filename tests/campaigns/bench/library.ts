/**
 * `npm run campaign -- bench library`: how long a page of the library takes in the server, and by which plan it is read, with
 * 100,000 images of one seller and 1,000,000 of others (`--images`, `--others`). Fails when the 95th percentile of a query
 * is over 50 ms or a plan is a collection scan. Uses MongoDB at MONGODB_URL if set, otherwise the local service.
 */
import { type LibraryQuery, libraryQuerySchema, sceneTemplates } from '#contract';
import { libraryRequest, readLibraryPage } from '#server/library/library-page.ts';
import { connectDb } from '#shared/data/connect.ts';
import { type Db, newId } from '#shared/data/db.ts';
import { contentsOfProjects } from '#shared/data/generations/projects.ts';
import { searchFieldsOf } from '#shared/data/generations/search-fields.ts';
import { migrate } from '#shared/data/migrations/migrate.ts';
import { generationView } from '#shared/views/generation.ts';
import { insertFinishedGenerations, plansOf } from '#tests/campaigns/support/rows.ts';
import { onStack } from '#tests/campaigns/support/stack.ts';
import { median } from '#tests/support/statistics.ts';

/** The longest time of a page, in ms. */
const aimMs = 50;
/** Measured pages of each query, after as many to warm up as make no difference any more. */
const [rounds, warmUps] = [21, 3];

const products = ['Mug', 'Lamp', 'Sneaker', 'Notebook', 'Teapot', 'Bag', 'Watch', 'Candle', 'Chair', 'Vase'];
const colours = ['red', 'blue', 'green', 'black', 'white', 'yellow', 'grey', 'brown', 'purple', 'orange'];
const scenes = [
  'on a light oak table with soft morning light from the left',
  'in front of a plain white wall, studio light, soft shadow',
  'on wet stone beside moss, overcast sky, shallow depth of field',
  `${sceneTemplates[0]}: warm light, a linen cloth and two eucalyptus leaves`,
];

/** An image, by its number: the same with every run. */
export function imageOf(profile: string, index: number) {
  const pick = <Item>(items: readonly Item[], step: number) =>
    items[Math.floor(index / step) % items.length]!;
  return {
    profile,
    prompt: pick(scenes, 7),
    // One in seven has no name, so that many are equal in the order of names.
    product_name: index % 7 === 6 ? '' : `${pick(colours, 1)} ${pick(products, 10)} ${index % 1_000}`,
    sku: `SKU-${index}`,
    state: index % 50 === 3 ? ('failed' as const) : ('succeeded' as const),
    created_at: new Date(1_790_000_000_000 - index * 60_000),
    ...(index % 3 > 0 && { project: `project-${index % 40}` }),
    ...(index % 5_000 === 4_999 && { favourite: true }),
  };
}

/** A page in the middle of images that are equal in the order of names. */
const latePage = 'a late page of equal names';
const late = {
  _id: '0'.repeat(24),
  created_at: new Date(0),
  name_key: searchFieldsOf({ prompt: scenes[1]!, product_name: '' }).name_key,
};

/** The queries: what a seller would plausibly ask, and what is hardest. */
const queries: Record<string, Partial<Record<keyof LibraryQuery, string>>> = {
  'all, newest': {},
  'all, by name': { sort: 'name' },
  'a rare word': { q: 'sku 77777' },
  'a word of 1 in 10': { q: 'blue' },
  'a word of all': { q: 'sku' },
  'two words': { q: 'blue teapot' },
  'two words, by name': { q: 'blue teapot', sort: 'name' },
  'a beginning': { q: 'm' },
  'no such word': { q: 'zeppelin' },
  'a project': { project: 'project-7' },
  'a project and a word': { project: 'project-7', q: 'mug' },
  'favourites (20)': { favourite: 'true' },
  'favourites, by name': { favourite: 'true', sort: 'name' },
  'failed ones, oldest': { state: 'failed', sort: 'oldest' },
  'a template': { template: sceneTemplates[0] },
  'a template of none': { template: sceneTemplates[3] },
  'two days, a word': { q: 'lamp', from: '2026-08-01T00:00:00Z', to: '2026-08-03T00:00:00Z' },
  'two days, by name': { sort: 'name', from: '2026-08-01T00:00:00Z', to: '2026-08-03T00:00:00Z' },
  [latePage]: { sort: 'name' },
  'two that exclude each other': { q: 'blue', state: 'failed', project: 'project-1' },
};

export async function benchLibrary(images: number, others: number): Promise<void> {
  await onStack({ servers: 0, workers: 0 }, async ({ config, onClose }) => {
    const address = new URL(config.mongodbUrl);
    address.searchParams.set('monitorCommands', 'true');
    // The local service answers nothing while it builds an index, for minutes.
    address.searchParams.set('connectTimeoutMS', '3600000');
    const db = await connectDb(address.href);
    onClose(() => db.close());
    const seller = newId();
    console.log(`MongoDB: ${address.host}; ${images} images, ${others} of others`);
    await insertFinishedGenerations(db, images, (index) => imageOf(seller, index));
    const strangers = Array.from({ length: 200 }, newId);
    await insertFinishedGenerations(db, others, (index) => imageOf(strangers[index % 200]!, index));
    await migrate(db, console);
    if (!(await measure(db, seller))) process.exitCode = 1;
  });
}

/** Measures every query. @returns whether all were fast enough, without a collection scan */
async function measure(db: Db, seller: string): Promise<boolean> {
  let isGood = true;
  console.log('query                          p50 ms  p95 ms  images  plans (keys/documents examined)');
  for (const [name, query] of Object.entries(queries)) {
    const request = libraryRequest(libraryQuerySchema.parse(query), name === latePage ? late : undefined);
    const page = async () => {
      const { rows } = await readLibraryPage(db, seller, request);
      return Promise.all(rows.map((row) => generationView(db, row)));
    };
    const plans = await plansOf(db, page);
    const times: number[] = [];
    let shown = 0;
    for (let round = -warmUps; round < rounds; round += 1) {
      const began = performance.now();
      shown = (await page()).length;
      if (round >= 0) times.push(performance.now() - began);
    }
    const p95 = times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.95) - 1]!;
    const isScan = plans.some((plan) => plan.includes('COLLSCAN'));
    isGood &&= p95 <= aimMs && !isScan;
    console.log(
      `${name.padEnd(30)} ${median(times).toFixed(1).padStart(6)}  ${p95.toFixed(1).padStart(6)}  ${String(shown).padStart(6)}  ${plans.join(', ')}`,
    );
  }
  const began = performance.now();
  await contentsOfProjects(db, seller);
  console.log(`counts of all projects: ${(performance.now() - began).toFixed(0)} ms`);
  console.log(
    isGood ? `no page over ${aimMs} ms, no collection scan` : `over ${aimMs} ms, or a collection scan`,
  );
  return isGood;
}
