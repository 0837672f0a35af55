/** The statements of one generation on MongoDB and on the queue's store, by process. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pLimit from 'p-limit';
import { type CampaignStack, concurrency, onStack, previewsApart } from '#tests/campaigns/support/stack.ts';
import { createBenchSeller } from '#tests/support/connected-seller.ts';

const counted = ['server', 'worker'] as const;
const stores = ['mongo', 'queue'] as const;

type Store = (typeof stores)[number];

/** Statements for one generation: how many of each kind, such as `find profiles`, by store and process. */
export type Statements = Record<Store, Record<(typeof counted)[number], Map<string, number>>>;

/** All statements of a store for one generation. */
const totalOf = ({ server, worker }: Statements[Store]) =>
  [...server.values(), ...worker.values()].reduce((sum, each) => sum + each, 0);

/**
 * Counts the statements of generations with two previews, with those that the processes execute by themselves meanwhile.
 * On a stack of its own, because counting takes time.
 */
export async function countStatementsOf(count: number): Promise<Statements> {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-statements-'));
  try {
    return await onStack({ imports: [await writePreload(folder)] }, async (stack) => {
      await stack.images.set({ default: previewsApart });
      const seller = await createBenchSeller(stack);
      const make = async () => seller.succeeded(await seller.submit());
      // Warm-up.
      await pLimit(concurrency).map(Array(concurrency * 2).keys(), make);
      const before = await linesSoFar(stack, folder);
      await pLimit(concurrency).map(Array(count).keys(), make);
      const after = await linesSoFar(stack, folder);
      const of = (store: Store, name: (typeof counted)[number]) =>
        tally(after[name].slice(before[name].length), store, count);
      const ofBoth = (store: Store) => ({ server: of(store, 'server'), worker: of(store, 'worker') });
      return { mongo: ofBoth('mongo'), queue: ofBoth('queue') };
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Prints the statements, and in the last line their sums. */
export function printStatements({ mongo, queue }: Statements): void {
  for (const [store, of] of [['MongoDB', mongo] as const, ['queue', queue] as const]) {
    for (const name of counted) {
      console.log(`    ${name}, statements on ${store === 'queue' ? 'the queue' : store} for one generation`);
      for (const [kind, each] of [...of[name]].toSorted(([, a], [, b]) => b - a)) {
        if (each >= 0.05) console.log(`      ${each.toFixed(1).padStart(5)}  ${kind}`);
      }
    }
  }
  const [onMongo, onQueue] = [mongo, queue].map((store) => totalOf(store).toFixed(1));
  console.log(`statements a generation: MongoDB ${onMongo}, queue ${onQueue}`);
}

/** @returns the module that server and worker load first */
async function writePreload(folder: string): Promise<string> {
  const path = join(folder, 'count.mjs');
  const module = pathToFileURL(join(import.meta.dirname, '../support/count-statements.ts')).href;
  await writeFile(
    path,
    `import { countStatements } from ${JSON.stringify(module)};\ncountStatements(${JSON.stringify(folder)});\n`,
  );
  return path;
}

async function linesSoFar(stack: CampaignStack, folder: string) {
  const [server, worker] = await Promise.all(
    counted.map(async (name) =>
      (await readFile(join(folder, String(stack.process(name).pid)), 'utf8')).trimEnd().split('\n'),
    ),
  );
  return { server: server!, worker: worker! };
}

function tally(lines: readonly string[], store: Store, count: number): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const line of lines) {
    if (!line.startsWith(`${store} `)) continue;
    const kind = line.slice(store.length + 1);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1 / count);
  }
  return kinds;
}
