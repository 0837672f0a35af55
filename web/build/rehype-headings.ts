interface Node {
  type: string;
  tagName?: string;
  value?: string;
  properties?: { id?: string };
  children?: Node[];
}

/** Makes a Markdown module export `headings`: id and text of its second-level headings. Needs the ids of rehype-slug. */
export function rehypeHeadings() {
  return (tree: Node): void => {
    const headings = (tree.children ?? [])
      .filter(({ tagName }) => tagName === 'h2')
      .map((node) => ({ id: node.properties?.id ?? '', text: textOf(node) }));
    tree.children?.push(exportOf('headings', headings));
  };
}

function textOf({ value, children = [] }: Node): string {
  return value ?? children.map(textOf).join('');
}

/** The syntax tree of `export const name = value`, as MDX expects it. */
function exportOf(name: string, value: Record<string, string>[]): Node {
  const id = { type: 'Identifier', name };
  const declaration = {
    type: 'VariableDeclaration',
    kind: 'const',
    declarations: [{ type: 'VariableDeclarator', id, init: expressionOf(value) }],
  };
  const statement = { type: 'ExportNamedDeclaration', declaration, specifiers: [], source: null };
  const program = { type: 'Program', sourceType: 'module', body: [statement], comments: [] };
  return { type: 'mdxjsEsm', value: '', data: { estree: program } } as Node;
}

function expressionOf(items: Record<string, string>[]) {
  const property = ([name, value]: [string, string]) => ({
    type: 'Property',
    kind: 'init',
    method: false,
    shorthand: false,
    computed: false,
    key: { type: 'Identifier', name },
    value: { type: 'Literal', value },
  });
  return {
    type: 'ArrayExpression',
    elements: items.map((item) => ({
      type: 'ObjectExpression',
      properties: Object.entries(item).map(property),
    })),
  };
}
