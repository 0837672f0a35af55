/** Plants violations of the rules in biome.json and knip.json in an empty checkout: each must be reported. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';

interface Planted {
  path: string;
  text: string;
  /** The rule that must report the file; undefined if the file is allowed. */
  rule?: string;
}

const restricted = 'lint/style/noRestrictedImports';
const undeclared = 'lint/correctness/noUndeclaredDependencies';
const importing = (specifier: string) =>
  `import { value } from '${specifier}';\nexport const used = value;\n`;

const forbidden: readonly Required<Planted>[] = [
  { path: 'web/src/lib/a.ts', text: importing('#shared/platform/errors.ts'), rule: restricted },
  { path: 'web/src/app/a.ts', text: importing('#server/app.ts'), rule: restricted },
  { path: 'web/src/app/b.ts', text: importing('#tests/support/stack.ts'), rule: restricted },
  { path: 'web/src/app/c.ts', text: importing('../../../server/app.ts'), rule: restricted },
  { path: 'web/src/features/a/b.ts', text: importing('#web/features/c/d.ts'), rule: restricted },
  { path: 'web/src/features/a/e.ts', text: importing('../c/d.ts'), rule: restricted },
  { path: 'web/src/features/a/f.ts', text: importing('#web/app/routes.tsx'), rule: restricted },
  { path: 'web/src/ui/a.ts', text: importing('#web/features/c/d.ts'), rule: restricted },
  { path: 'server/a.ts', text: importing('#worker/context.ts'), rule: restricted },
  { path: 'server/b.ts', text: importing('#web/lib/page.ts'), rule: restricted },
  { path: 'server/c.ts', text: importing('#scripts/npm.ts'), rule: restricted },
  { path: 'server/d.ts', text: importing('#local/main.ts'), rule: restricted },
  { path: 'server/e.ts', text: importing('#tests/support/stack.ts'), rule: restricted },
  { path: 'server/f.ts', text: importing('#shared/platform/environment.ts'), rule: restricted },
  { path: 'server/http/a.ts', text: importing('../plugins/b.ts'), rule: restricted },
  { path: 'server/g.ts', text: importing('vite'), rule: undeclared },
  { path: 'server/h.ts', text: importing('express'), rule: undeclared },
  { path: 'worker/a.ts', text: importing('#server/app.ts'), rule: restricted },
  { path: 'worker/b.ts', text: "export * from '#web/lib/page.ts';\n", rule: restricted },
  {
    path: 'worker/c.ts',
    text: "import type { Value } from '#server/app.ts';\nexport type Used = Value;\n",
    rule: restricted,
  },
  {
    path: 'shared/mail/a.ts',
    text: "export const value = await import('#server/app.ts');\n",
    rule: restricted,
  },
  { path: 'shared/contract/a.ts', text: importing('#shared/platform/errors.ts'), rule: restricted },
  {
    path: 'shared/contract/b.ts',
    text: "import type { Value } from 'fastify';\nexport type Used = Value;\n",
    rule: restricted,
  },
  { path: 'shared/platform/config.ts', text: importing('#server/app.ts'), rule: restricted },
  { path: 'scripts/a.ts', text: importing('#web/lib/page.ts'), rule: restricted },
  { path: 'scripts/b.ts', text: importing('#tests/support/stack.ts'), rule: restricted },
  { path: 'scripts/local/a/b.ts', text: importing('../../../shared/platform/errors.ts'), rule: restricted },
  { path: 'scripts/local/c.ts', text: importing('#shared/platform/errors.ts'), rule: restricted },
  { path: 'server/j.ts', text: importing('mongoose'), rule: restricted },
  { path: 'server/k.ts', text: importing('#shared/data/models.ts'), rule: restricted },
  { path: 'worker/d.ts', text: importing('mongodb'), rule: restricted },
  { path: 'worker/e.ts', text: importing('#shared/data/models.ts'), rule: restricted },
  { path: 'shared/credits/a.ts', text: importing('mongoose'), rule: restricted },
  { path: 'shared/credits/b.ts', text: importing('#shared/data/models.ts'), rule: restricted },
  { path: 'scripts/d.ts', text: importing('#shared/data/models.ts'), rule: restricted },
  { path: 'web/src/lib/b.ts', text: importing('mongoose'), rule: restricted },
  { path: 'server/l.ts', text: importing('sharp'), rule: restricted },
  { path: 'worker/f.ts', text: importing('sharp'), rule: restricted },
  { path: 'shared/mail/b.ts', text: importing('sharp'), rule: restricted },
  { path: 'shared/data/b.ts', text: importing('sharp'), rule: restricted },
  { path: 'server/i.ts', text: 'export const home = process.env.HOME;\n', rule: 'lint/style/noProcessEnv' },
  {
    path: 'server/camelCase.ts',
    text: 'export const one = 1;\n',
    rule: 'lint/style/useFilenamingConvention',
  },
  {
    path: 'worker/long.ts',
    text: Array.from({ length: 401 }, (_, index) => `export const line${index} = ${index};\n`).join(''),
    rule: 'lint/style/noExcessiveLinesPerFile',
  },
  {
    path: 'server/cycle-a.ts',
    text: "import { b } from './cycle-b.ts';\nexport const a = () => b();\n",
    rule: 'lint/suspicious/noImportCycles',
  },
  {
    path: 'server/cycle-b.ts',
    text: "import { a } from './cycle-a.ts';\nexport const b = (): unknown => a();\n",
    rule: 'lint/suspicious/noImportCycles',
  },
];

const allowed: readonly Planted[] = [
  { path: 'web/src/features/a/ok.ts', text: importing('#contract') },
  { path: 'web/src/features/a/api/ok.ts', text: importing('../photos.ts') },
  { path: 'web/src/app/ok.ts', text: importing('#web/features/c/d.ts') },
  { path: 'web/src/lib/ok.test.ts', text: importing('#tests/support/photos.ts') },
  { path: 'server/ok.ts', text: importing('#shared/data/db.ts') },
  { path: 'server/ok-sharp.ts', text: importing('#shared/platform/sharp.ts') },
  { path: 'server/ok.test.ts', text: importing('vitest') },
  { path: 'shared/data/ok.ts', text: importing('mongoose') },
  { path: 'server/ok-models.test.ts', text: importing('#shared/data/models.ts') },
  { path: 'shared/contract/ok.ts', text: importing('zod') },
  { path: 'shared/contract/ok-neighbour.ts', text: importing('./ok.ts') },
  { path: 'shared/platform/environment.ts', text: 'export const home = process.env.HOME;\n' },
  { path: 'scripts/local/ok.ts', text: 'export const home = process.env.HOME;\n' },
  { path: 'scripts/test/main.ts', text: importing('#tests/support/stores.ts') },
];

let checkout: string;
/** Each report as `path rule`. */
let reports: ReadonlySet<string>;

/** Runs a program of node_modules in the planted checkout. @returns what it writes to its output */
function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const file = join(rootFolder, 'node_modules', '.bin', program);
    execFile(file, args, { cwd: checkout, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      // Both programs exit with 1 when they report something.
      if (error && error.code !== 1) reject(new Error(`${program}: ${error.message}\n${stderr}`));
      else resolve(stdout);
    });
  });
}

beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'packshot-rules-'));
  for (const file of [
    'biome.json',
    'knip.json',
    'package.json',
    'scripts/local/package.json',
    '.gitignore',
  ]) {
    await cp(join(rootFolder, file), join(checkout, file));
  }
  for (const { path, text } of [...forbidden, ...allowed]) {
    await mkdir(dirname(join(checkout, path)), { recursive: true });
    await writeFile(join(checkout, path), text);
  }
  const output = await run('biome', ['lint', '--reporter=json', '--max-diagnostics=none', '.']);
  const { diagnostics } = JSON.parse(output) as {
    diagnostics: { category: string; location: { path: string | { file: string } } }[];
  };
  reports = new Set(
    diagnostics.map(({ category, location: { path } }) => {
      const file = typeof path === 'string' ? path : path.file;
      return `${file.replace(/^\.\//, '')} ${category}`;
    }),
  );
});

afterAll(() => rm(checkout, { recursive: true, force: true }));

test('what is forbidden is reported by its rule', () => {
  const unreported = forbidden
    .map(({ path, rule }) => `${path} ${rule}`)
    .filter((each) => !reports.has(each));
  expect(unreported).toEqual([]);
});

test('what is allowed is not reported', () => {
  const paths = new Set(allowed.map(({ path }) => path));
  expect([...reports].filter((report) => paths.has(report.split(' ')[0]!))).toEqual([]);
});

test('a file that nothing imports is reported', async () => {
  const output = await run('knip', ['--include', 'files', '--reporter', 'json']);
  const { issues } = JSON.parse(output) as { issues: { file: string }[] };
  expect(issues.map(({ file }) => file)).toContain('server/cycle-a.ts');
  expect(issues.map(({ file }) => file)).not.toContain('scripts/test/main.ts');
});
