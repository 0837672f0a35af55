/** Which programs read each setting, found out from the source. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '#shared/platform/config.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { type GivenSettings, type SettingName, settingsSchema } from '#shared/platform/settings.ts';
import { type LanguageServer, type Place, startLanguageServer } from './language-server.ts';
import { settingNames, shapeOf } from './shape.ts';

/** Who reads a setting: programs, and commands of `scripts/`. */
const readers = ['server', 'worker', 'scripts'] as const;
export type Reader = (typeof readers)[number];

const configFile = 'shared/platform/config.ts';

/** Files that only turn settings into `Config`. */
const configFiles = ['config', 'production', 'program-secrets', 'retention'].map(
  (name) => `shared/platform/${name}.ts`,
);

const read = (file: string) => readFileSync(join(rootFolder, file), 'utf8');

/**
 * Who reads each setting. A program reads it if code of its folder uses a value of `Config` that changes with the setting,
 * or calls code of `shared/` that does; `scripts/` if a file there names it.
 */
export async function readersOfSettings(): Promise<Record<SettingName, Reader[]>> {
  const named = namesInScripts();
  const decideStart = namesBeforeConfig();
  const languageServer = await startLanguageServer();
  const programsOf = createProgramSearch(languageServer);
  try {
    const found: Partial<Record<SettingName, Reader[]>> = {};
    for (const name of settingNames) {
      const paths = changedBy(name);
      const programs = new Set<string>();
      for (const path of paths) {
        for (const program of await programsThatUse(path, languageServer, programsOf)) programs.add(program);
      }
      // Both read what decides whether they start, and what changes no value, which they only check.
      const isOfBoth = paths.length === 0 || decideStart.has(name);
      found[name] = readers.filter((reader) =>
        reader === 'scripts' ? named.has(name) : isOfBoth || programs.has(reader),
      );
    }
    return found as Record<SettingName, Reader[]>;
  } finally {
    languageServer.close();
  }
}

/** The values of `Config` that change with a setting, as paths such as `image.backoffMs`. */
function changedBy(name: SettingName): string[] {
  // Production refuses another Stripe.
  const { STRIPE_API_URL: stripeApi, ...base } = examples();
  const others = name === 'STRIPE_API_URL' ? [stripeApi] : otherValues(name, base[name]);
  for (const other of others) {
    const { [name]: _given, ...rest } = base as GivenSettings;
    const given = other === undefined ? rest : { ...rest, [name]: other };
    try {
      return differences(loadConfig(base), loadConfig(given));
    } catch (error) {
      // The next value may be accepted.
      if (!(error instanceof ConfigError)) throw error;
    }
  }
  throw new Error(`No other value of ${name} is accepted: give its schema another example.`);
}

/** Settings that are given an example, and metrics, whose address counts for nothing otherwise. */
function examples(): GivenSettings {
  const given = settingNames.map((name) => [name, settingsSchema.shape[name].meta()?.example]);
  const { NODE_ENV: _production, ...examples } = Object.fromEntries(
    given.filter(([, example]) => example !== undefined),
  ) as GivenSettings;
  return { ...examples, METRICS_PORT: '9100' };
}

/** Values that differ from the given one; undefined to leave the setting out. */
function otherValues(name: SettingName, given: string | undefined): (string | undefined)[] {
  if (given !== undefined) return [undefined, `${given}2`];
  const { type, enum: values, default: fallback, example } = shapeOf(name);
  if (example !== undefined) return [example];
  if (values) return values.filter((value) => value !== fallback);
  if (type === 'boolean') return [String(!fallback)];
  return [String(Number(fallback) + 1), String(Number(fallback) - 1)];
}

/** The paths of the leaves that differ. */
function differences(one: unknown, two: unknown, path: string[] = []): string[] {
  if (JSON.stringify(one) === JSON.stringify(two)) return [];
  const isTree = (value: unknown) => value !== null && typeof value === 'object' && !Array.isArray(value);
  if (!isTree(one) || !isTree(two)) return [path.join('.')];
  const [left, right] = [one, two] as [Record<string, unknown>, Record<string, unknown>];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => differences(left[key], right[key], [...path, key]));
}

/** The programs that use a value of `Config`. A part that is passed on whole counts for each value in it. */
async function programsThatUse(
  path: string,
  languageServer: LanguageServer,
  programsOf: (use: Place) => Promise<Set<string>>,
): Promise<Set<string>> {
  let place: Place = {
    file: configFile,
    line: lineOf(read(configFile), /export interface Config /),
    character: 0,
  };
  let programs = new Set<string>();
  for (const name of path.split('.')) {
    const declared = await declarationOf(name, place, languageServer);
    if (!declared) break;
    place = declared;
    const inner = new Set<string>();
    for (const use of await languageServer.references(place)) {
      if (configFiles.includes(use.file)) continue;
      for (const program of await programsOf(use)) inner.add(program);
    }
    if (inner.size > 0) programs = inner;
  }
  return programs;
}

/** Finds the programs whose code is at a place, or calls the function at it, however indirectly. */
function createProgramSearch(languageServer: LanguageServer): (use: Place) => Promise<Set<string>> {
  const known = new Map<string, Set<string>>();
  return async function search(use: Place): Promise<Set<string>> {
    const [folder] = use.file.split('/');
    if (folder === 'server' || folder === 'worker') return new Set([folder]);
    const declaration = folder === 'shared' && !isTest(use.file) ? enclosingDeclaration(use) : undefined;
    if (!declaration) return new Set();
    const key = JSON.stringify(declaration);
    const earlier = known.get(key);
    if (earlier) return earlier;
    const programs = new Set<string>();
    // Before the search, because functions may call each other.
    known.set(key, programs);
    for (const caller of await languageServer.references(declaration)) {
      for (const program of await search(caller)) programs.add(program);
    }
    return programs;
  };
}

/** The function, class or constant of a file in which a place is; none in imports and types. */
function enclosingDeclaration({ file, line }: Place): Place | undefined {
  const before = read(file)
    .split('\n')
    .slice(0, line + 1);
  const at = before.findLastIndex((each) =>
    /^(?:export|import|async|function|const|let|class|type|interface)\b/.test(each),
  );
  const [start, name] =
    /^(?:export )?(?:async )?(?:function\*? |const |let |class )(\w+)/.exec(before[at] ?? '') ?? [];
  if (start === undefined) return;
  return { file, line: at, character: start.length - name!.length };
}

const isTest = (file: string) => file.startsWith('tests/') || file.endsWith('.test.ts');

/** Where a property is declared, in the interface that begins at a place or in the type of the property there. */
async function declarationOf(
  name: string,
  { file, line, character }: Place,
  languageServer: LanguageServer,
): Promise<Place | undefined> {
  const lines = read(file).split('\n');
  const rest = lines[line]!.slice(character);
  if (rest.includes('{')) return propertyIn(file, line, name);
  const [type] = await languageServer.typeOf({ file, line, character });
  return type && propertyIn(type.file, type.line, name);
}

/** The property of an object type that begins in a line and ends at the indentation of that line. */
function propertyIn(file: string, line: number, name: string): Place | undefined {
  const lines = read(file).split('\n');
  const { length: indent } = /^ */.exec(lines[line]!)![0];
  const length = lines.slice(line).findIndex((each) => each.startsWith(`${' '.repeat(indent)}}`));
  const inner = lines.slice(line, length === -1 ? line + 1 : line + length);
  const at = inner.findIndex((each, index) =>
    new RegExp(index === 0 ? `[{;] ${name}\\??:` : `^ {${indent + 2}}${name}\\??:`).test(each),
  );
  if (at === -1) return;
  return { file, line: line + at, character: inner[at]!.search(new RegExp(`\\b${name}\\??:`)) };
}

const lineOf = (source: string, pattern: RegExp) =>
  source.slice(0, source.search(pattern)).split('\n').length - 1;

/** The settings on which it depends whether there is a `Config`. */
function namesBeforeConfig(): Set<string> {
  const [, text] = /const value = read\.data;([\s\S]*?)return \{/.exec(read(configFile))!;
  return new Set([...text!.matchAll(/value\.([A-Z_]+)/g)].map(([, name]) => name!));
}

/** The settings that commands name; not those that campaigns and tests give to the programs that they start. */
function namesInScripts(): Set<string> {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'scripts'], {
    cwd: rootFolder,
    encoding: 'utf8',
  });
  const sources = files
    .split('\n')
    .filter((file) => /^scripts\/(?!local\/|settings\/).*(?<!\.test)\.ts$/.test(file))
    .filter((file) => existsSync(join(rootFolder, file)))
    .map(read);
  const texts = [...sources, ...(sources.some(usesStorageLocation) ? [read(storageFile)] : [])];
  // Read as a property, or taken out of the settings that are given.
  const property = /\.([A-Z]+(?:_[A-Z]+)*)\b(?! = )/g;
  const taken = /\{([^{}]*)\}(?: = givenSettings\(\)|: GivenSettings)/g;
  const quoted = /'([A-Z]+(?:_[A-Z]+)+)'/g;
  return new Set(
    texts.flatMap((text) => [
      ...[...text.matchAll(property), ...text.matchAll(quoted)].map(([, name]) => name!),
      ...[...text.matchAll(taken)].flatMap(([, names]) => names!.match(/[A-Z]+(?:_[A-Z]+)+/g) ?? []),
    ]),
  );
}

const storageFile = 'shared/platform/storage-config.ts';
const usesStorageLocation = (source: string) => source.includes(storageFile);
