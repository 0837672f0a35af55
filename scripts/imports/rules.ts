/** The rules that keep the parts of Packshot apart (docs/ARCHITECTURE.md, "Folders"). */
import { posix } from 'node:path';
import { importsIn, lineOf, packageOf, withoutComments } from './source.ts';

/** A source file: its path from the checkout with forward slashes, and its text. */
export interface SourceFile {
  path: string;
  text: string;
}

export interface Breach {
  path: string;
  line: number;
  rule: string;
}

export interface Manifest {
  dependencies?: Readonly<Record<string, string>>;
  devDependencies: Readonly<Record<string, string>>;
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path) || path.startsWith('tests/');

/** Where a file of ours may not look: the importing file, the imported one, and why. */
const borders: readonly { from: RegExp; to: RegExp; rule: string }[] = [
  { from: /^web\//, to: /^shared\/(?!contract\/)/, rule: 'web imports only shared/contract of shared' },
  { from: /^web\//, to: /^(server|worker|scripts|tests)\//, rule: 'web imports nothing of the other sides' },
  { from: /^server\//, to: /^(worker|web)\//, rule: 'server imports neither worker nor web' },
  { from: /^worker\//, to: /^(server|web)\//, rule: 'worker imports neither server nor web' },
  {
    from: /^shared\/contract\//,
    to: /^(?!shared\/contract\/)/,
    rule: 'shared/contract imports only itself and zod',
  },
  {
    from: /^shared\//,
    to: /^(server|worker|web|scripts|tests)\//,
    rule: 'shared imports nothing of the sides that use it',
  },
  { from: /^scripts\//, to: /^web\//, rule: 'scripts do not import web' },
  {
    from: /^scripts\/local\//,
    to: /^(?!scripts\/local\/)/,
    rule: 'the stand-ins in scripts/local import nothing of the product',
  },
  { from: /^(server|worker|scripts|web)\//, to: /^tests\//, rule: 'only tests import tests' },
  {
    from: /^(server|worker|web|shared\/(?!platform\/config\.ts))/,
    to: /^shared\/platform\/environment\.ts$/,
    rule: 'product code reads settings from shared/platform/config.ts, not the environment',
  },
  { from: /^(server|worker)\//, to: /^scripts\//, rule: 'what runs in production imports no scripts' },
];

/** Crossings that are meant, each with its reason. */
const permitted: readonly { from: RegExp; to: RegExp; reason: string }[] = [
  {
    from: /^scripts\/test\/main\.ts$/,
    to: /^tests\/support\//,
    reason: 'the test command says which stores and browser the tests took',
  },
];

const mostLines = 300;

/** Longer files that stay whole, each with its reason. */
const longFiles: ReadonlyMap<string, string> = new Map([]);

/**
 * Holds all rules against the sources.
 * @param files every source file of the checkout, tests included
 * @param standIns the package.json of scripts/local
 * @returns the breaches, by path and line
 */
export function findBreaches(
  files: readonly SourceFile[],
  manifest: Manifest,
  standIns: Manifest = { devDependencies: {} },
): Breach[] {
  const ownFiles = files.filter(({ path }) => !path.startsWith('scripts/local/'));
  const standInFiles = files.filter(({ path }) => path.startsWith('scripts/local/'));
  const breaches = [
    ...files.flatMap(crossings),
    ...files.flatMap(environmentReads),
    ...files.flatMap(sizesAndPlaces),
    ...packageBreaches(ownFiles, manifest, 'package.json'),
    ...packageBreaches(standInFiles, standIns, 'scripts/local/package.json'),
  ];
  return breaches.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line);
}

/** The file that a relative specifier names, as a path from the checkout. */
function targetOf(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier);
  if (specifier === '#contract') return 'shared/contract/index.ts';
  if (!specifier.startsWith('#')) return undefined;
  return specifier
    .slice(1)
    .replace(/^contract\//, 'shared/contract/')
    .replace(/^local\//, 'scripts/local/')
    .replace(/^web\//, 'web/src/');
}

function crossings({ path, text }: SourceFile): Breach[] {
  return importsIn(text).flatMap(({ specifier, line }) => {
    const breach = (rule: string): Breach => ({ path, line, rule: `${rule} (${specifier})` });
    const packageName = packageOf(specifier);
    if (packageName !== undefined) {
      return path.startsWith('shared/contract/') && packageName !== 'zod' && !isTest(path)
        ? [breach('shared/contract imports only itself and zod')]
        : [];
    }
    const target = targetOf(path, specifier);
    if (target === undefined) return [];
    if (isTest(path) && target.startsWith('tests/')) return [];
    if (permitted.some(({ from, to }) => from.test(path) && to.test(target))) return [];
    const broken = borders.filter(({ from, to }) => from.test(path) && to.test(target));
    const features = [path, target].map((file) => /^web\/src\/features\/([^/]+)\//.exec(file)?.[1]);
    if (features[0] !== undefined && features[1] !== undefined && features[0] !== features[1]) {
      return [breach('features of the web app do not import each other')];
    }
    return broken.slice(0, 1).map(({ rule }) => breach(rule));
  });
}

/** The files that may read the environment. */
const environmentReaders: ReadonlySet<string> = new Set(['shared/platform/environment.ts']);

function environmentReads({ path, text }: SourceFile): Breach[] {
  if (environmentReaders.has(path) || path.startsWith('scripts/local/') || !/\.tsx?$/.test(path)) return [];
  return [...withoutStrings(withoutComments(text)).matchAll(/\bprocess\s*(\?\.|\.)\s*env\b/g)].map(
    (match) => ({
      path,
      line: lineOf(text, match.index),
      rule: 'only shared/platform/environment.ts reads process.env',
    }),
  );
}

/** Text in quotes blanked, of the same length: a sentence about the environment does not read it. */
function withoutStrings(code: string): string {
  return code.replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, (part) => part.replace(/[^\n]/g, ' '));
}

function sizesAndPlaces({ path, text }: SourceFile): Breach[] {
  const breaches: Breach[] = [];
  const lines = text.trimEnd().split('\n').length;
  if (lines > mostLines && !isTest(path) && !longFiles.has(path)) {
    breaches.push({ path, line: mostLines + 1, rule: `${lines} lines: no file over ${mostLines}` });
  }
  const folder = path
    .split('/')
    .slice(0, -1)
    .find((name) => /^(utils?|helpers?)$/i.test(name));
  if (folder !== undefined) breaches.push({ path, line: 1, rule: `no folder named ${folder}` });
  return breaches;
}

/** Dependencies that no source imports: programs, and what other packages ask for. */
const usedOtherwise: ReadonlyMap<string, string> = new Map([
  ['close-with-grace', 'the end of a process'],
  ['dependency-cruiser', 'npm run check'],
  ['knip', 'npm run check'],
  ['node', 'the Node that npm scripts run on'],
  ['typescript', 'npm run check'],
  ['@biomejs/biome', 'npm run check'],
  ['@types/node', "types of Node's own modules"],
  ['ioredis', "BullMQ's client for redis://"],
  ['pg', "BullMQ's client for postgres://"],
]);

/** The package that a package of types describes: `@types/x` is of `x`, `@types/x__y` of `@x/y`. */
function packageOfTypes(name: string): string | undefined {
  const [, described] = /^@types\/(.+)$/.exec(name) ?? [];
  return described?.replace(/^(.+)__/, '@$1/');
}

function packageBreaches(files: readonly SourceFile[], manifest: Manifest, manifestPath: string): Breach[] {
  const declared = new Set([
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.devDependencies),
  ]);
  const used = new Set<string>();
  const breaches: Breach[] = [];
  for (const { path, text } of files) {
    for (const { specifier, line, isType } of importsIn(text)) {
      const name = packageOf(specifier);
      if (name === undefined) continue;
      used.add(name);
      if (!declared.has(name)) breaches.push({ path, line, rule: `${name} is not in ${manifestPath}` });
      // Containers install production dependencies only.
      else if (
        /^(server|worker|shared)\//.test(path) &&
        !isTest(path) &&
        !isType &&
        manifest.dependencies?.[name] === undefined
      ) {
        breaches.push({ path, line, rule: `${name} is a development dependency only` });
      }
    }
  }
  for (const name of declared) {
    const typed = packageOfTypes(name);
    if (!used.has(name) && !usedOtherwise.has(name) && (typed === undefined || !used.has(typed))) {
      breaches.push({ path: manifestPath, line: 1, rule: `${name} is imported nowhere` });
    }
  }
  return breaches;
}
