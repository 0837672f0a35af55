/** What a source file imports, read from its text: no compiler is needed to hold the rules. */

export interface Import {
  /** The module as the file names it. */
  specifier: string;
  /** Line in the file, from 1. */
  line: number;
  /** Whether it leaves nothing behind at run time (`import type`). */
  isType: boolean;
}

const statements = [
  // import … from 'x', export … from 'x'; the clause holds no quote and no semicolon.
  /(?<=^|[;}\n])[ \t]*(?:import|export)(?<type>\s+type\b)?\s+[^'";()]*?\bfrom\s*['"](?<specifier>[^'"\n]+)['"]/g,
  // import 'x'
  /(?<=^|[;}\n])[ \t]*import\s*['"](?<specifier>[^'"\n]+)['"]/g,
  // import('x'), require('x'), require.resolve('x'), import.meta.resolve('x'), @import 'x' and @plugin 'x' of CSS
  /(?:\bimport|\brequire(?:\.resolve)?|\bimport\.meta\.resolve)\s*\(\s*['"](?<specifier>[^'"\n]+)['"]\s*\)/g,
  /@(?:import|plugin)\s+['"](?<specifier>[^'"\n]+)['"]/g,
];

/** Strings are matched too, so that what looks like a comment in one is not taken for one. */
const stringOrComment =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|(?<![:\\/])\/\/[^\n]*/g;

/**
 * Finds the imports of a TypeScript or CSS file, in the order of their lines.
 * @param text the file's text; comments are passed over
 */
export function importsIn(text: string): Import[] {
  const code = withoutComments(text);
  const strings = [...code.matchAll(stringOrComment)].map(
    ({ 0: part, index }) => [index, index + part.length] as const,
  );
  const isQuoted = (at: number) => strings.some(([from, to]) => at > from && at < to);
  const found = statements.flatMap((statement) =>
    [...code.matchAll(statement)]
      .filter((match) => !isQuoted(match.index))
      .map((match): Import => {
        const { specifier, type } = match.groups as { specifier: string; type?: string };
        const at = match.index + match[0].lastIndexOf(specifier);
        return { specifier, line: lineOf(code, at), isType: type !== undefined };
      }),
  );
  return found.sort((a, b) => a.line - b.line);
}

/** Line of a place in a text, from 1. */
export function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Comments turned into blanks, so that lines keep their numbers. Strings with `//` in them stay whole. */
export function withoutComments(text: string): string {
  return text.replace(stringOrComment, (part) => (/^\/[/*]/.test(part) ? part.replace(/[^\n]/g, ' ') : part));
}

/** Name of the npm package that a specifier means; undefined for files of this repository and Node's own modules. */
export function packageOf(specifier: string): string | undefined {
  if (/^(\.|\/|#|node:|virtual:)/.test(specifier)) return undefined;
  const [first, second] = specifier.split('/');
  return first!.startsWith('@') ? `${first}/${second}` : first;
}
