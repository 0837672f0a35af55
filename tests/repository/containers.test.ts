/** A container image has every file that its own files import. */
import { expect, test } from 'vitest';
import { readInCheckout, resolveImport, trackedFiles } from '#tests/support/checkout.ts';

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
