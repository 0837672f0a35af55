/*
 * A browser that translates a page puts each text into elements of its own, in the place of the text node that React knows.
 * React then fails when it removes that node or inserts something before it, and what it writes into the node is not seen.
 */

/** What stands for a text node since it was translated. */
const translations = new WeakMap<Node, ChildNode>();

/** Lets React remove, move and change texts of a page that is being translated. Call before the first rendering. */
export function followTranslations(): void {
  const { insertBefore, removeChild } = Node.prototype;
  const observer = new MutationObserver((records) => {
    for (const record of records) recordReplacements(record, observer);
  });
  observer.observe(document.documentElement, { childList: true, subtree: true });

  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode === this) return removeChild.call(this, child) as Child;
    const shown = translations.get(child) ?? child;
    if (shown.parentNode) removeChild.call(shown.parentNode, shown);
    return child;
  };
  Node.prototype.insertBefore = function <Child extends Node>(
    this: Node,
    child: Child,
    next: Node | null,
  ): Child {
    return insertBefore.call(this, child, next && shownChild(this, next)) as Child;
  };
}

/** Notes what was put in the place of a text, and shows a text again that was changed since. */
function recordReplacements(
  { type, target, addedNodes, removedNodes, previousSibling, nextSibling }: MutationRecord,
  observer: MutationObserver,
): void {
  if (type === 'characterData') restoreText(target as Text);
  for (const node of addedNodes) {
    // React has put the text itself back.
    if (node.isConnected) dropTranslation(node);
  }
  const isTranslation = (node: Node | null): node is ChildNode => node?.nodeName === 'FONT';
  const translation = [...addedNodes, previousSibling, nextSibling].find(isTranslation);
  if (!translation) return;
  for (const node of removedNodes) {
    if (node.nodeType !== Node.TEXT_NODE || node.isConnected) continue;
    translations.set(node, translation);
    observer.observe(node, { characterData: true });
  }
}

/** Puts a text that React has changed in the place of its translation; the browser translates it again. */
function restoreText(text: Text): void {
  const translation = translations.get(text);
  translations.delete(text);
  if (translation?.isConnected) translation.replaceWith(text);
}

function dropTranslation(text: Node): void {
  translations.get(text)?.remove();
  translations.delete(text);
}

/** The child of an element that shows a node, which may be inside of it or translated; null if there is none. */
function shownChild(parent: Node, node: Node): Node | null {
  let shown: Node | null = translations.get(node) ?? node;
  while (shown && shown.parentNode !== parent) shown = shown.parentNode;
  return shown;
}
