/**
 * Every part of the web app that is loaded later goes through `loadPart`, so that a release that is gone ends in a full load
 * and not in an error: itself, or the code of a component or a page.
 */
import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

/** Functions that load what they are given with `loadPart`. */
const loaders = ['loadPart', 'createComponentCode', 'createPageCode', 'legalPage'];

/** Imports of which nobody waits for the result, and nothing is lost without: by file. */
const exceptions: Readonly<Record<string, string>> = {
  'web/src/ui/theme-switch.tsx': 'this browser keeps the theme even if the account does not',
  'web/src/features/studio/use-photos.ts': 'a full load would lose the photo; the server judges it',
  'web/src/features/studio/use-photo-warning-lines.ts':
    'a full load would lose the photos; their warnings are advice',
  'web/src/features/batches/use-photo-checks.ts': 'as for the studio: their warnings are advice',
  'web/src/app/dashboard-page.tsx DashboardPage': 'the message about a look: what it did is seen in the form',
  'web/src/app/main.tsx enterKeptFields': 'right after a full load',
};

/** What is read of a node of the syntax tree. */
interface SyntaxNode {
  type: string;
  callee?: { name?: string };
  id?: { name?: string };
  key?: { name?: string };
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value;

/** The imports of a file that no loader is around, each as its file and the function that it is in. */
function looseImports(file: string, text = readFileSync(file, 'utf8')): string[] {
  const loose: string[] = [];
  const visit = (node: SyntaxNode, place: string) => {
    if (node.type === 'CallExpression' && loaders.includes(node.callee?.name ?? '')) return;
    // The texts of guides and posts: site-routes.tsx loads them with the code of their page.
    if (node.type === 'Property' && node.key?.name === 'load' && file.includes('/content/')) return;
    if (node.type === 'ImportExpression') loose.push(place);
    const inside = node.type === 'FunctionDeclaration' ? `${file} ${node.id?.name}` : place;
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, inside);
  };
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  visit(program as unknown as SyntaxNode, file);
  return loose;
}

test('an import without a loader is found', () => {
  expect(looseImports('a.ts', "const load = () => import('./b.ts');")).toEqual(['a.ts']);
  expect(looseImports('a.ts', "loadPart(() => import('./b.ts'));")).toEqual([]);
});

test('every dynamic import of the web app is loaded by loadPart, or nothing is lost without it', () => {
  const files = globSync('web/src/**/*.{ts,tsx}').filter((file) => !file.includes('.test.'));
  const loose = files.flatMap((file) => looseImports(file));
  const isException = (place: string) =>
    Object.keys(exceptions).some((each) => place === each || place.startsWith(`${each} `));
  expect(loose.filter((place) => !isException(place))).toEqual([]);
  for (const each of Object.keys(exceptions)) expect(loose.join('\n')).toContain(each);
  expect(files.filter((file) => readFileSync(file, 'utf8').includes('import(')).length).toBeGreaterThan(20);
});
