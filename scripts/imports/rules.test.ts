import { expect, test } from 'vitest';
import { findBreaches, type Manifest, type SourceFile } from './rules.ts';
import { importsIn } from './source.ts';

const manifest: Manifest = {
  dependencies: { zod: '4', fastify: '5' },
  devDependencies: { vite: '8' },
};
/** Keeps the manifest's packages used, so that a test hears only of its own file. */
const user: SourceFile = {
  path: 'scripts/user.ts',
  text: "import 'zod';\nimport 'fastify';\nimport 'vite';\n",
};
const breachesOf = (path: string, text: string) =>
  findBreaches([user, { path, text }], manifest).map(
    (breach) => `${breach.path}:${breach.line} ${breach.rule}`,
  );

test.each([
  [
    'web/src/a.ts',
    "import { x } from '#shared/platform/errors.ts';",
    'web imports only shared/contract of shared',
  ],
  ['web/src/a.ts', "import '#server/app.ts';", 'web imports nothing of the other sides'],
  ['server/a.ts', "import { x } from '#scripts/worker/a.ts';", 'server imports neither worker nor web'],
  ['worker/a/b.ts', "export * from '#server/a.ts';", 'worker imports neither server nor web'],
  [
    'shared/a.ts',
    "const x = await import('#scripts/server/a.ts');",
    'shared imports nothing of the sides that use it',
  ],
  [
    'shared/contract/a.ts',
    "import { x } from '#scripts/errors.ts';",
    'shared/contract imports only itself and zod',
  ],
  [
    'shared/contract/a.ts',
    "import type { x } from 'fastify';",
    'shared/contract imports only itself and zod',
  ],
  [
    'web/src/features/a/x.ts',
    "import { y } from '#scripts/b/y.ts';",
    'features of the web app do not import each other',
  ],
  ['server/a.ts', "import { x } from '#scripts/scripts/a.ts';", 'what runs in production imports no scripts'],
  ['server/a.ts', "import { x } from '#scripts/tests/support/a.ts';", 'only tests import tests'],
  ['server/a.ts', "import { x } from '#local/a.ts';", 'what runs in production imports no scripts'],
  [
    'scripts/local/a/b.ts',
    "import { x } from '../../../shared/errors.ts';",
    'the stand-ins in scripts/local import nothing of the product',
  ],
])('%s may not: %s', (path, text, rule) => {
  expect(breachesOf(path, `// first line\n${text}\n`)).toEqual([
    expect.stringMatching(new RegExp(`^${path}:2 ${rule}`)),
  ]);
});

test.each([
  ['web/src/features/a/x.ts', "import { y } from './y.ts';\nimport { z } from '../../ui/z.ts';"],
  ['web/src/a.ts', "import { x } from '#contract';"],
  ['shared/contract/a.ts', "import { z } from 'zod';\nimport { b } from './b.ts';"],
  ['tests/integration/a.test.ts', "import { x } from '#server/a.ts';\nimport { y } from '#worker/a.ts';"],
  [
    'server/a.ts',
    "// import { x } from '#scripts/worker/a.ts';\n/* process.env */ const text = 'process.env';",
  ],
])('%s may: %s', (path, text) => {
  expect(breachesOf(path, text)).toEqual([]);
});

test('only the config module reads the environment', () => {
  expect(breachesOf('worker/a.ts', 'const a = 1;\nconst b = process.env.HOME;')).toEqual([
    'worker/a.ts:2 only shared/platform/environment.ts reads process.env',
  ]);
  expect(breachesOf('shared/platform/environment.ts', 'const b = process.env.HOME;')).toEqual([]);
});

test('files stay short and folders are named after what they hold', () => {
  expect(breachesOf('server/a.ts', 'x;\n'.repeat(300))).toEqual([]);
  expect(breachesOf('server/a.ts', 'x;\n'.repeat(301))).toEqual([
    'server/a.ts:301 301 lines: no file over 300',
  ]);
  expect(breachesOf('server/utils/a.ts', 'x;')).toEqual(['server/utils/a.ts:1 no folder named utils']);
});

test('package.json names what is imported, and nothing else', () => {
  expect(breachesOf('server/a.ts', "import x from 'left-pad';")).toEqual([
    'server/a.ts:1 left-pad is not in package.json',
  ]);
  expect(breachesOf('server/a.ts', "import { build } from 'vite';")).toEqual([
    'server/a.ts:1 vite is a development dependency only',
  ]);
  expect(
    findBreaches([{ path: 'server/a.ts', text: "import 'zod';" }], manifest).map(({ rule }) => rule),
  ).toEqual(['fastify is imported nowhere', 'vite is imported nowhere']);
});

test('a package of types is there for the package it describes', () => {
  const types = {
    dependencies: {},
    devDependencies: {
      qs: '6',
      '@types/qs': '6',
      '@types/left-pad': '1',
      '@scope/a': '1',
      '@types/scope__a': '1',
    },
  };
  const text = "import qs from 'qs';\nimport type { A } from '@scope/a';";
  expect(findBreaches([{ path: 'scripts/a.ts', text }], types).map(({ rule }) => rule)).toEqual([
    '@types/left-pad is imported nowhere',
  ]);
});

test('finds every way to import, and its line', () => {
  const text = [
    "import a, { type b } from 'one';",
    'import {',
    '  c,',
    "} from 'two';",
    "import type { d } from 'three';",
    "const e = () => import('four');",
    "export { f } from '@scope/five/deep';",
    "const g = import.meta.resolve('six'); // import 'seven'",
    "const h = 'https://example.org'; import 'eight';",
    "const i = \"import('nine') and require('ten')\";",
  ].join('\n');
  expect(importsIn(text).map(({ specifier, line, isType }) => [specifier, line, isType])).toEqual([
    ['one', 1, false],
    ['two', 4, false],
    ['three', 5, true],
    ['four', 6, false],
    ['@scope/five/deep', 7, false],
    ['six', 8, false],
    ['eight', 9, false],
  ]);
});
