/** No files import each other in a circle. Biome passes over imports of types; here they count. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';

const folders = ['server', 'worker', 'shared', 'web', 'scripts', 'tests'];
const files = execFileSync('git', ['ls-files', ...folders], { cwd: rootFolder, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file));

const { imports: names } = JSON.parse(readFileSync(join(rootFolder, 'package.json'), 'utf8')) as {
  imports: Record<string, string>;
};

/** The file that a specifier of an import in a file names; undefined for a package. */
function resolve(specifier: string, file: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(file), specifier);
  if (names[specifier] !== undefined) return join(names[specifier]);
  const name = Object.keys(names).find(
    (each) => each.endsWith('*') && specifier.startsWith(each.slice(0, -1)),
  );
  return name && join(names[name]!.slice(0, -1), specifier.slice(name.length - 1));
}

/** The files that a file imports, also for their types, and those that it loads later. */
function importsOf(file: string, source: string): string[] {
  const specifiers = source.matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...specifiers]
    .map(([, specifier]) => resolve(specifier!, file))
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
  const graph = new Map(
    files
      .filter((file) => existsSync(join(rootFolder, file)))
      .map((file) => [file, importsOf(file, readFileSync(join(rootFolder, file), 'utf8'))]),
  );
  expect(graph.size).toBeGreaterThan(1_000);
  expect(circlesOf(graph)).toEqual([]);
});
