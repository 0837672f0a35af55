/** A container image has every file that its own files import, and of the packages those that its programs load. */
import { expect, test } from 'vitest';
import { isInCheckout, readInCheckout, resolveImport, trackedFiles } from '#tests/support/checkout.ts';

/** The files that a file loads when it runs: imports of types alone are removed before. */
const loadedBy = (file: string) =>
  [...readInCheckout(file).matchAll(/^(?:import|export) (?!type\b)(?:[^;]*? from )?'([^']+)';/gm)]
    .map(([, specifier]) => resolveImport(specifier!, file))
    .filter((target): target is string => target !== undefined);

/** What `.dockerignore` lets into the build. */
const sent = [...readInCheckout('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path!);

test.each(['Dockerfile.server', 'Dockerfile.worker', 'scripts/containers/Dockerfile.local'])(
  '%s',
  (dockerfile) => {
    const [last] = readInCheckout(dockerfile)
      .split(/^FROM /m)
      .slice(-1);
    const copied = [...last!.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) =>
      sources!.split(' '),
    );
    const ignored = copied.filter((source) => !sent.some((path) => `${source}/`.startsWith(`${path}/`)));
    expect(ignored).toEqual([]);
    const files = trackedFiles(...copied);
    const code = files.filter((file) => /(?<!\.test|\.test-d)\.ts$/.test(file));
    expect(code.length).toBeGreaterThan(50);
    const missing = code.flatMap((file) => loadedBy(file).filter((target) => !files.includes(target)));
    expect(missing).toEqual([]);
  },
);

/** The packages that a program loads, from its first files on. */
function packagesOf(...entries: readonly string[]): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file) || !/\.ts$/.test(file) || !isInCheckout(file)) return;
    seen.add(file);
    const source = readInCheckout(file);
    const specifiers = [
      /^(?:import|export) (?!type\b)(?:[^;]*? from )?'([^']+)';/gm,
      /\bimport\('([^']+)'\)/g,
      // Programs and threads that it starts, and packages that are no modules.
      /new URL\('([^']+\.ts)', import\.meta\.url\)/g,
      /createRequire\(import\.meta\.url\)\('([^']+)'\)/g,
      /'((?:server|worker)\/[\w/-]+\.ts)'/g,
    ].flatMap((pattern) => [...source.matchAll(pattern)].map(([, specifier]) => specifier!));
    for (const specifier of specifiers) {
      const target = isInCheckout(specifier) ? specifier : resolveImport(specifier, file);
      if (target !== undefined) visit(target);
      else packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]);
    }
  };
  entries.forEach(visit);
  // BullMQ loads it for a queue on PostgreSQL.
  return packages.has('bullmq') ? packages.add('pg') : packages;
}

test.each([
  ['Dockerfile.server', ['server/main.ts', 'server/decoder/main.ts', 'server/photo-checks/main.ts']],
  ['Dockerfile.worker', ['worker/main.ts', 'worker/product-match/main.ts']],
] as const)('%s removes exactly the packages that its programs never load', (dockerfile, programs) => {
  const commands = [...readInCheckout(dockerfile).matchAll(/^COPY scripts\/(\w+) scripts\/\1$/gm)];
  const entries = [...programs, ...commands.map(([, name]) => `scripts/${name}/main.ts`)];
  for (const entry of entries) expect(isInCheckout(entry), entry).toBe(true);
  const { dependencies } = JSON.parse(readInCheckout('package.json')) as {
    dependencies: Record<string, string>;
  };
  const loaded = packagesOf(...entries);
  const [, removed] =
    /npm uninstall --no-save --omit=dev --ignore-scripts ((?:[^&]|\\\n)+?)\s*\\?\n\s*&&/.exec(
      readInCheckout(dockerfile),
    )!;
  expect(removed!.split(/[\s\\]+/).toSorted()).toEqual(
    Object.keys(dependencies)
      .filter((name) => !loaded.has(name))
      .toSorted(),
  );
});
