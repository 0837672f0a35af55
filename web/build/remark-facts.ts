import { pageFacts } from './page-facts.ts';

interface Node {
  type: string;
  value?: string;
  children?: Node[];
}

/**
 * Replaces `{name}` in the text of Markdown by the fact of that name. Code keeps its braces.
 * @throws if there is no such fact, so that the build fails
 */
export function remarkFacts() {
  return function replaceFacts(node: Node): void {
    if (node.type === 'text') node.value = withFacts(node.value ?? '');
    for (const child of node.children ?? []) replaceFacts(child);
  };
}

function withFacts(text: string): string {
  return text.replaceAll(/\{(\w*)\}/g, (placeholder, name: string) => {
    if (!Object.hasOwn(pageFacts, name))
      throw new Error(`A text names the fact ${placeholder}, which page-facts.ts does not have.`);
    return pageFacts[name as keyof typeof pageFacts];
  });
}
