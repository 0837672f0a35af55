import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const constructedStyles = JSON.stringify(
  fileURLToPath(import.meta.resolve('../src/lib/constructed-styles.ts')),
);

/** Packages that put a `<style>` element into the page, and how their module is changed to use a constructed style sheet. */
const packages: readonly { module: RegExp; changed(source: string): string }[] = [
  {
    module: /\/react-style-singleton\/dist\/es\d+\/singleton\.js$/,
    changed: () => `export { createSharedStyles as stylesheetSingleton } from ${constructedStyles};`,
  },
  {
    module: /\/sonner\/dist\/index\.mjs$/,
    changed: (source) =>
      source.replace(
        /function __insertCSS\(code\) \{[\s\S]*?\n\}/,
        `import { addStyles as __insertCSS } from ${constructedStyles};`,
      ),
  },
  {
    module: /\/react-zoom-pan-pinch\/dist\/index\.esm\.js$/,
    changed: (source) =>
      source.replace(
        /function styleInject\(css, ref\) \{[\s\S]*?\n\}/,
        `import { addStyles as styleInject } from ${constructedStyles};`,
      ),
  },
];

/** Code that makes such an element, itself or as a component. */
const makesStyleElement = /(?:createElement|jsxs?)\)?\(\s*(['"`])style\1/;

/**
 * Lets libraries use constructed style sheets instead of `<style>` elements, which the content security policy refuses
 * (server/plugins/headers.ts). A build with other code that makes such elements fails.
 */
export function withoutStyleElements(): Plugin {
  const changed = new Set<RegExp>();
  return {
    name: 'packshot:without-style-elements',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform(source, id) {
      const found = packages.find(({ module }) => module.test(id));
      if (!found) return null;
      changed.add(found.module);
      return { code: found.changed(source), map: null };
    },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        // React makes one only for a component's.
        if (file.type !== 'chunk' || file.name === 'react') continue;
        if (makesStyleElement.test(file.code)) throw new Error(`${file.fileName} makes a <style> element`);
      }
      const missing = packages
        .filter(({ module }) => !changed.has(module))
        .map(({ module }) => module.source);
      if (missing.length > 0) throw new Error(`the build has no module ${missing.join(', ')}`);
    },
  };
}
