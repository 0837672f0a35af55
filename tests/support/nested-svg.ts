/**
 * An SVG that takes long to draw, or to measure: each group uses the one before it twice, so that the last one is a million
 * rectangles. About 1.1 kB.
 */
export function nestedSvg(): Buffer {
  const groups = Array.from(
    { length: 20 },
    (_, level) => `<g id="g${level + 1}"><use href="#g${level}"/><use href="#g${level}"/></g>`,
  );
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg"><defs><rect id="g0" width="9" height="9"/>${groups.join('')}</defs><use href="#g20"/></svg>`,
  );
}
