/** Whether the names on a page keep their own direction, and leave that of the text around them alone. */
import type { Page } from 'playwright-core';

/**
 * Finds right-to-left names in a page that stand in the text around them: in no `<bdi translate="no">` or block with
 * `dir="auto"` of their own, or in an attribute, option or title without isolating characters; names of which the end is shown
 * where they are cut off; and text fields that do not take the direction of what is typed.
 * @param where begins each problem
 * @param names all right-to-left names that the page may show
 */
export async function directionProblems(
  page: Page,
  where: string,
  names: readonly string[],
): Promise<string[]> {
  const found = await page.evaluate<string[]>(`(${check})(${JSON.stringify(names)})`);
  return [...new Set(found)].map((problem) => `${where}: ${problem}`);
}

/** In the page, which the tests have no types for. */
const check = `(names) => {
  const rightToLeft = /[\\u0590-\\u08ff]/;
  const problems = [];
  const stands = (text) => rightToLeft.test(text.replace(/\\u2068[^\\u2069]*\\u2069/g, ''));
  const isName = (text) => {
    const start = text.trim().replace(/…$/, '').replaceAll(/[\\u2068\\u2069]/g, '');
    return names.some((name) => name.startsWith(start) || (start.startsWith(name) && /^[-.\\w]*$/.test(start.slice(name.length))));
  };
  const ellipsis = (element) => {
    for (let at = element; at; at = at.parentElement) if (getComputedStyle(at).textOverflow === 'ellipsis') return at;
  };
  if (stands(document.title)) problems.push('title: ' + document.title);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: parent } = texts.currentNode;
    if (!rightToLeft.test(data) || parent.closest('script, style, textarea')) continue;
    const cutter = parent.matches('option') ? undefined : ellipsis(parent);
    if (cutter && isName(cutter.textContent) && getComputedStyle(cutter).direction !== 'rtl') {
      problems.push('would be cut off at its beginning: ' + data);
    }
    if (!stands(data)) continue;
    const own = parent.closest('bdi, [dir=auto]');
    if (!own) problems.push('text: ' + parent.textContent);
    else if (own.matches('bdi') && !isName(own.textContent)) problems.push('more than a name: ' + own.textContent);
    else if (own.matches('bdi') && !own.closest('[translate=no]')) problems.push('translated: ' + data);
  }
  for (const element of document.querySelectorAll('body *')) {
    for (const name of ['aria-label', 'title', 'alt', 'placeholder']) {
      if (stands(element.getAttribute(name) ?? '')) problems.push(name + ': ' + element.getAttribute(name));
    }
    const isField =
      element.matches('textarea, input:not([inputmode=numeric])') && ['textarea', 'text', 'search', 'email'].includes(element.type);
    if (isField && element.dir !== 'auto') {
      const label = element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.name;
      problems.push('field without dir=auto: ' + label);
    }
  }
  return problems;
}`;
