/** No files import each other in a circle, and no import runs up. Biome passes over imports of types; here they count. */
import { expect, test } from 'vitest';
import { readInCheckout, resolveImport, trackedFiles } from '#tests/support/checkout.ts';

const files = trackedFiles('server', 'worker', 'shared', 'web', 'scripts', 'tests').filter((file) =>
  /\.tsx?$/.test(file),
);

/** The files that a file imports, also for their types, and those that it loads later. */
function importsOf(file: string, source: string): string[] {
  const specifiers = source.matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...specifiers]
    .map(([, specifier]) => resolveImport(specifier!, file))
    .filter((target): target is string => target !== undefined && /\.tsx?$/.test(target));
}

/** Groups of files each of which imports all others of its group, directly or not (Tarjan's algorithm). */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    open.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1) circles.push(group.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}

test('a circle is found, also of types', () => {
  const graph = new Map([
    ['a.ts', importsOf('a.ts', "import type { B } from './b.ts';")],
    ['b.ts', importsOf('b.ts', "export { c } from './c.ts';")],
    ['c.ts', importsOf('c.ts', "const a = await import('./a.ts');")],
    ['d.ts', importsOf('d.ts', "import { a } from './a.ts';")],
  ]);
  expect(circlesOf(graph)).toEqual([['a.ts', 'b.ts', 'c.ts']]);
});

test('no files import each other in a circle', () => {
  const graph = new Map(files.map((file) => [file, importsOf(file, readInCheckout(file))]));
  expect(graph.size).toBeGreaterThan(1_000);
  expect(circlesOf(graph)).toEqual([]);
});

const above = ['views', 'generations', 'batches', 'billing', 'accounts', 'projects', 'watch'];
const subjects = [
  'accounts',
  'batches',
  'billing',
  'contact',
  'generations',
  'library',
  'live',
  'looks',
  'mail',
  'notifications',
  'operator',
  'projects',
  'status',
];

/** Folders of `shared`, `server` and `worker`, and what beside them they must not import. */
const forbidden: Readonly<Record<string, (folder: string) => boolean>> = {
  'shared/contract': (folder) => folder !== 'contract',
  'shared/platform': (folder) => !['contract', 'platform'].includes(folder),
  'shared/data': (folder) => !['contract', 'platform', 'data'].includes(folder),
  ...Object.fromEntries(
    ['storage', 'credits', 'mail', 'metrics', 'provider', 'tracing'].map((room) => [
      `shared/${room}`,
      (folder: string) => above.includes(folder),
    ]),
  ),
  'shared/views': (folder) => above.slice(1).includes(folder),
  ...Object.fromEntries(
    ['http', 'decoder', 'auth', 'uploads', 'images'].map((room) => [
      `server/${room}`,
      (folder: string) => subjects.includes(folder),
    ]),
  ),
  ...Object.fromEntries(
    subjects.map((subject) => [
      `server/${subject}`,
      (folder: string) => folder !== subject && subjects.includes(folder),
    ]),
  ),
  ...Object.fromEntries(
    ['providers', 'flow'].map((room) => [
      `worker/${room}`,
      (folder: string) => ['context.ts', 'generate', 'upkeep'].includes(folder),
    ]),
  ),
  'worker/generate': (folder) => folder === 'upkeep',
};

/** What a subject of the server takes from another one, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'server/accounts/export/export-stream.ts server/looks/look.ts':
    'the export has the looks as they are shown',
  'server/live/operators.ts server/operator/read-status.ts': 'operators get the same over the socket',
  ...Object.fromEntries(
    ['export-stream', 'export-tickets', 'send-export'].map((file) => [
      `server/operator/data-request-routes.ts server/accounts/export/${file}.ts`,
      'operators export what the seller can export',
    ]),
  ),
  'server/operator/present-seller.ts server/accounts/present.ts': 'operators see what the seller sees',
  'server/operator/seller-action-routes.ts server/accounts/two-factor/removal-routes.ts':
    'the one way in which two-factor sign-in is removed for a seller',
  'server/operator/seller-routes.ts server/billing/ledger-page.ts': 'operators see the same ledger',
  'server/status/metrics.ts server/live/live.ts': 'how many sockets are open is a metric',
  'shared/data/generations/schema.ts shared/cutout/photo-problem.ts':
    'the one list of what is wrong with a photo, which the local services may import only there',
};

/** The imports of a file that run up, or to the side. */
function runningUp(file: string, source: string): string[] {
  const [side, room] = file.split('/');
  const isForbidden = forbidden[`${side}/${room}`];
  if (!isForbidden) return [];
  return importsOf(file, source)
    .filter((target) => {
      const [targetSide, folder] = target.split('/');
      return targetSide === side && isForbidden(folder!);
    })
    .map((target) => `${file} ${target}`);
}

test.each([
  ['shared/contract/a.ts', '#shared/platform/b.ts'],
  ['shared/platform/a.ts', '#shared/data/b.ts'],
  ['shared/data/a.ts', '#shared/credits/b.ts'],
  ['shared/credits/a.ts', '#shared/views/b.ts'],
  ['shared/storage/a.ts', '../generations/b.ts'],
  ['shared/views/a.ts', '#shared/generations/b.ts'],
  ['server/http/a.ts', '#server/looks/b.ts'],
  ['server/uploads/a.ts', '#server/generations/b.ts'],
  ['server/looks/a.ts', '#server/projects/b.ts'],
  ['worker/flow/a.ts', '../context.ts'],
  ['worker/providers/a.ts', '#worker/generate/b.ts'],
  ['worker/generate/a.ts', '#worker/upkeep/b.ts'],
])('an import that runs up is found: %s of %s', (file, specifier) => {
  expect(runningUp(file, `import type { A } from '${specifier}';`)).toHaveLength(1);
});

test('no import runs up, and no subject of the server takes from another one without a reason', () => {
  const product = files.filter(
    (file) => /^(?:shared|server|worker)\//.test(file) && !file.includes('.test.'),
  );
  const found = product.flatMap((file) => runningUp(file, readInCheckout(file)));
  expect(found.toSorted()).toEqual(Object.keys(exceptions).toSorted());
});
