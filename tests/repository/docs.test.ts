/** Whatever the documents name exists: error codes, links, files, commands, settings, fields, decisions. */

import { globSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ErrorCode, errorDefinitions, generationStates, imageSizes, limits } from '#contract';
import { serverLimits } from '#contract/server-limits.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { settingsSchema } from '#shared/platform/settings.ts';
import { isInCheckout as exists, readInCheckout as read, trackedFiles } from '#tests/support/checkout.ts';
import { usualAges } from '#worker/upkeep/upkeep.ts';

const files = trackedFiles();
const fileNames = new Set(files.map((file) => basename(file)));
const topLevel = new Set(files.map((file) => file.split('/')[0]!));
/** Without the texts of the site, which link to its pages (`web/src/content/content.test.tsx`). */
const documents = files.filter((file) => file.endsWith('.md') && !file.startsWith('web/src/content/'));
/** The documents about Packshot as a whole; the others describe the folder that they are in. */
const productDocuments = documents.filter((file) => file === 'README.md' || file.startsWith('docs/'));
const sourceFiles = files.filter((file) =>
  ['.ts', '.tsx', '.js', '.mjs', '.css', '.sh', '.yml', '.yaml', '.py'].includes(extname(file)),
);

/** What a document sets as code within a line; not its code blocks. */
function inlineCode(document: string): string[] {
  const text = read(document).replaceAll(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
}

/** What is wrong in files, each with its file. @param find what is wrong in one */
const violations = (files: readonly string[], find: (file: string) => string[]) =>
  files.flatMap((file) => find(file).map((violation) => `${file}: ${violation}`));

test('there are documents', () => {
  expect(productDocuments).toEqual(expect.arrayContaining(['README.md', 'docs/ARCHITECTURE.md']));
  expect(documents.length).toBeGreaterThan(productDocuments.length);
});

test('docs/errors.md gives each code its own status', () => {
  const answers = [...read('docs/errors.md').matchAll(/(\d{3}) `([A-Z_]+)`/g)];
  expect(answers.length).toBeGreaterThan(40);
  const wrong = answers.filter(
    ([, status, code]) => Number(status) !== errorDefinitions[code as ErrorCode]?.[0],
  );
  expect(wrong.map(([answer]) => answer)).toEqual([]);
});

test('documents link to files that exist', () => {
  const missing = violations(documents, (document) =>
    [...read(document).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, link]) => link!)
      .filter((link) => !exists(join(dirname(document), link))),
  );
  expect(missing).toEqual([]);
});

test('documents link to headings that exist', () => {
  /** The fragments of a document's headings, as GitHub makes them. */
  const fragmentsOf = (document: string) =>
    [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    );
  const missing = violations(documents, (document) =>
    [...read(document).matchAll(/\]\((?!https?:)([^)#]*\.md)?#([^)]+)\)/g)]
      .filter(([, path, fragment]) => {
        const target = path === undefined ? document : join(dirname(document), path);
        return exists(target) && !fragmentsOf(target).includes(fragment!);
      })
      .map(([link]) => link),
  );
  expect(missing).toEqual([]);
});

test('documents about Packshot name files and folders that exist', () => {
  const missing = violations(productDocuments, (document) => {
    // The renderer's document names files from the renderer's folder.
    const folders = ['', dirname(document), 'scripts/local/openai'];
    const paths = inlineCode(document).filter((code) => /^[\w.-]+(\/[\w.-]+)*\/?$/.test(code));
    return paths.filter((path) => {
      // Made by the build.
      if (path.startsWith('web/dist/')) return false;
      const isFile = ['.ts', '.tsx', '.sh', '.mjs', '.md'].includes(extname(path));
      if (isFile && !path.includes('/')) return !fileNames.has(path);
      const isPath = path.includes('/') && (isFile || topLevel.has(path.split('/')[0]!));
      return isPath && !folders.some((folder) => exists(join(folder, path)));
    });
  });
  expect(missing).toEqual([]);
});

test('documents name files of this repository by their path', () => {
  const missing = violations(documents, (document) =>
    [...read(document).matchAll(/(?<![\w./-])[\w.-]+(?:\/[\w.-]+)+\.(?:tsx?|mjs|sh)\b/g)]
      .map(([path]) => path)
      .filter(
        (path) =>
          topLevel.has(path.split('/')[0]!) && !exists(path) && !exists(join(dirname(document), path)),
      ),
  );
  expect(missing).toEqual([]);
});

test('the three walks of docs/ARCHITECTURE.md name functions that are in their files', () => {
  const [walks] = /(?<=## Three walks\n)[\s\S]*/.exec(read('docs/ARCHITECTURE.md'))!;
  const steps = [...walks.matchAll(/`([\w./-]+\.tsx?)` `(\w+)`/g)].map(
    ([, file, name]) => [file!, name!] as const,
  );
  expect(steps.length).toBeGreaterThan(18);
  expect(steps.filter(([file, name]) => !new RegExp(`\\b${name}\\b`).test(read(file)))).toEqual([]);
});

test("docs/ARCHITECTURE.md's table of folders has every folder, and no other", () => {
  const [table] = /(?<=## Folders\n)[\s\S]*?(?=\n## )/.exec(read('docs/ARCHITECTURE.md'))!;
  const firstCells = [...table.matchAll(/^\|([^|]*)\|/gm)].map(([, cell]) => cell!);
  const listed = firstCells.flatMap((cell) =>
    [...cell.matchAll(/`([^`]+\/)`/g)].map(([, folder]) => folder!),
  );
  const folders = sourceFiles.flatMap((file) => {
    const [side, ...names] = file.split('/').slice(0, -1);
    // Most folders of the web app are in `web/src`; server and worker also have files of their own.
    if (side === 'web') {
      const folder = names.slice(0, 2).join('/');
      return ['', 'src', 'public'].includes(folder) ? [] : [`web/${folder}/`];
    }
    if (names[0] !== undefined) return [`${side}/${names[0]}/`];
    return side === 'server' || side === 'worker' ? [`${side}/`] : [];
  });
  expect(listed.sort()).toEqual([...new Set(folders)].sort());
});

describe('commands', () => {
  const scripts = Object.keys(
    (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts,
  );
  const named = (document: string) =>
    [...read(document).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
      ([, script, short]) => script ?? short!,
    );

  test('documents name commands that package.json has', () => {
    const unknown = violations(documents, (document) =>
      named(document).filter((name) => !scripts.includes(name)),
    );
    expect(unknown).toEqual([]);
  });

  test('docs/commands.md names every command of package.json', () => {
    // npm runs `postinstall` itself.
    const missing = scripts.filter((name) => !named('docs/commands.md').includes(name));
    expect(missing).toEqual(['postinstall']);
  });

  test('campaigns have a README, and docs/commands.md names each; documents name no other', () => {
    const campaigns = globSync('*/main.ts', { cwd: join(rootFolder, 'tests/campaigns') }).map(dirname);
    const campaignsIn = (document: string) =>
      [...read(document).matchAll(/\bnpm run campaign -- ([\w-]+)/g)].map(([, name]) => name!);
    expect(campaigns.filter((name) => !exists(`tests/campaigns/${name}/README.md`))).toEqual([]);
    expect(new Set(campaignsIn('docs/commands.md'))).toEqual(new Set(campaigns));
    const unknown = violations(documents, (document) =>
      campaignsIn(document).filter((name) => !campaigns.includes(name)),
    );
    expect(unknown).toEqual([]);
  });
});

describe('what documents say of values is what the code has', () => {
  const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];
  const { WORKER_CONCURRENCY: concurrency, IMAGE_MODEL: model } = settingsSchema.partial().parse({});
  const sizes = Object.values(imageSizes).map(({ width, height }) => `${width}x${height}`);

  test.for<[document: string, sentence: RegExp, value: string | number | undefined]>([
    ['docs/product.md', /upload one to (\w+) photos/, numbers[limits.photos]],
    ['docs/product.md', /get one to (\w+) images/, numbers[limits.imagesPerRequest]],
    ['docs/generations.md', /\*\*set\*\*: one to (\w+) generations/, numbers[limits.imagesPerRequest]],
    ['docs/generations.md', /older than (\w+) minutes is removed/, numbers[usualAges.requestMs / 60_000]],
    ['docs/provider.md', /its default is `([^`]+)`/, model],
    ['docs/provider.md', /`size` is the one that the seller chose: ([^.]+)\./, sizes.join(' ')],
    ['docs/provider.md', /of at most ([\d,]+) pixels/, limits.photoSide],
    ['docs/scaling.md', /`WORKER_CONCURRENCY` is (\d+) by default/, concurrency],
    ['docs/scaling.md', /Workers of (\d+) \|/, concurrency],
    ['docs/scaling.md', /while it is received: (\d+) on each server/, limits.uploads],
    ['docs/scaling.md', /on each server, up to ([\d,]+) waiting/, serverLimits.uploadsInLine],
    ['docs/scaling.md', /decodes photos of at most (\d+) MB together/, serverLimits.decodeBytes / 2 ** 20],
  ])('%s: %s', ([document, sentence, value]) => {
    const [, said] = sentence.exec(read(document).replaceAll(/\s+/g, ' ')) ?? [];
    const values = said?.replaceAll(/`|,| or(?= )/g, '');
    expect(typeof value === 'number' ? Number(values) : values).toBe(value);
  });

  test('docs/generations.md has every state', () => {
    const [, table] = read('docs/generations.md').split('| State | Meaning |');
    const rows = table!.split('\n\n')[0]!.split('\n').slice(1);
    const states = rows.flatMap((row) =>
      [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, state]) => state),
    );
    expect(states).toEqual([...generationStates]);
  });

  test('what docs/vocabulary.md says that texts say is in them', () => {
    const texts = files
      .filter((file) => /^(?:web\/src|shared\/(?:contract|mail))\/.*\.(?:tsx?|mdx?)$/.test(file))
      .map((file) => read(file).toLowerCase())
      .join('\n');
    const said = [...read('docs/vocabulary.md').matchAll(/texts? say ([^|;.]+)/g)].flatMap(([, words]) =>
      [...words!.matchAll(/"([^"…]+?)(?: …)?"/g)].map(([, word]) => word!),
    );
    expect(said.length).toBeGreaterThan(4);
    expect(said.filter((word) => !texts.includes(word.toLowerCase()))).toEqual([]);
  });

  test('README.md says for what deploy/ has folders', () => {
    const [, words] = /deploy\/`?[\s|]+([^·|\n]+)/.exec(read('README.md'))!;
    const folders = new Set(
      files.filter((file) => /^deploy\/.*\//.test(file)).map((file) => file.split('/')[1]!),
    );
    expect([...folders].filter((folder) => !words!.toLowerCase().includes(folder))).toEqual([]);
  });
});

/** Names in other programs that the documents mention because Packshot does not use them. */
const foreignNames = [
  'singleProcessOOMKill',
  'DelayedError',
  'MongoDBStorage',
  'PutObject',
  'QueueEvents',
  'input_fidelity',
  'moveToDelayed',
  'requestTimeout',
];

test('documents about Packshot name functions, fields and settings that exist', () => {
  // Every word of the sources, except those that name fields of earlier releases.
  const sources = sourceFiles.filter(
    (file) =>
      file !== 'tests/repository/docs.test.ts' &&
      !file.includes('/migrations/') &&
      !file.includes('first-release'),
  );
  const words = new Set(sources.flatMap((file) => read(file).match(/[A-Za-z_]\w*/g) ?? []));
  // Only words that can be nothing else: camelCase, PascalCase with two humps, snake_case.
  const isName = /^(?:[a-z]+(?:_[a-z]+)+|[a-z]+[A-Z]\w*|(?:[A-Z][a-z]+){2,}|[A-Z]+(?:_[A-Z]+)+)$/;
  const unknown = violations(productDocuments, (document) =>
    inlineCode(document)
      .flatMap((code) => code.match(/[A-Za-z_]\w*/g) ?? [])
      .filter((word) => isName.test(word) && !foreignNames.includes(word) && !words.has(word)),
  );
  expect(unknown).toEqual([]);
});

test('sources name documents that exist', () => {
  const missing = violations(sourceFiles, (file) =>
    [...read(file).matchAll(/#?[\w./-]*\w\.md\b/g)]
      .map(([path]) => path.replace('#web/', 'web/src/'))
      .filter((path) => !exists(path) && !exists(join(dirname(file), path))),
  );
  expect(missing).toEqual([]);
});

describe('docs/decisions', () => {
  const decisions = documents.filter((file) => file.startsWith('docs/decisions/'));
  const numberOf = (file: string) => Number(basename(file).slice(0, 4));

  test('have numbers of their own', () => {
    expect(new Set(decisions.map(numberOf)).size).toBe(decisions.length);
  });

  test('begin with their number', () => {
    const wrong = decisions.filter((file) => !read(file).startsWith(`# ${numberOf(file)}. `));
    expect(wrong).toEqual([]);
  });

  test('are linked to by their number', () => {
    const wrong = violations(documents, (document) =>
      [...read(document).matchAll(/\[(?:decision )?(\d+)\]\(([^)]*decisions?\/)?(\d{4})-[^)]*\)/g)]
        .filter(([, shown, , target]) => Number(shown) !== Number(target))
        .map(([link]) => link),
    );
    expect(wrong).toEqual([]);
  });
});
