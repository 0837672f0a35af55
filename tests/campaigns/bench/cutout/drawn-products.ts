/**
 * Products that no sample photo shows: thin legs, open frames, a pair, white goods. They are drawn as SVG, so their
 * masks are exact.
 */

/** A drawing within 600 × 600 units, transparent around the product. */
export const drawnProducts: Readonly<Record<string, string>> = {
  stool: shaded(
    '<path d="M185 170 L150 560 L172 560 L215 175z M395 170 L440 560 L418 560 L375 175z M270 185 L262 520 L280 520 L292 185z" fill="#7a5230"/>' +
      '<path d="M168 390 L430 390 L431 402 L167 402z" fill="#6b4526"/>' +
      '<ellipse cx="290" cy="185" rx="150" ry="42" fill="#5d3a1e"/><ellipse cx="290" cy="165" rx="150" ry="42" fill="url(#wood)"/>',
  ),
  'desk lamp': shaded(
    '<ellipse cx="200" cy="540" rx="110" ry="30" fill="#2b2d31"/><ellipse cx="200" cy="530" rx="110" ry="30" fill="#41444a"/>' +
      '<path d="M200 530 L130 300 L340 140" fill="none" stroke="#4a4d54" stroke-width="11" stroke-linejoin="round"/>' +
      '<circle cx="130" cy="300" r="14" fill="#222"/><path d="M320 110 L390 90 L470 230 L310 270z" fill="url(#metal)"/>' +
      '<path d="M310 270 Q400 290 470 230 Q390 215 310 270z" fill="#f6e9c8"/>',
  ),
  spectacles: shaded(
    '<g fill="none" stroke="#8a3b1f" stroke-width="15"><ellipse cx="170" cy="330" rx="110" ry="85"/><ellipse cx="430" cy="330" rx="110" ry="85"/>' +
      '<path d="M275 310 Q300 285 325 310"/><path d="M62 300 Q40 220 130 190"/><path d="M538 300 Q560 220 470 190"/></g>',
  ),
  'pair of shoes': shaded(
    '<g id="shoe"><path d="M40 300 q10 -90 60 -110 q60 30 90 80 q80 30 100 60 q12 30 -8 40 h-230 q-20 -10 -12 -70z" fill="#9c3d35"/>' +
      '<path d="M34 362 h256 q8 24 -14 30 h-228 q-18 -8 -14 -30z" fill="#f3f1ec"/><path d="M120 230 l50 -20 M135 255 l50 -22 M152 278 l46 -22" stroke="#fff" stroke-width="6"/></g>' +
      '<use href="#shoe" x="270" y="110"/>',
  ),
  'white jug': shaded(
    '<path d="M190 120 Q290 90 400 120 L430 500 Q300 560 170 500z" fill="url(#white)"/>' +
      '<path d="M405 190 q130 20 90 170 q-20 70 -75 75 l-4 -34 q60 -20 58 -90 q0 -70 -66 -85z" fill="#dddcda"/><ellipse cx="295" cy="120" rx="105" ry="22" fill="#cfcdca"/>',
  ),
};

function shaded(content: string): string {
  const gradient = (id: string, from: string, to: string) =>
    `<linearGradient id="${id}"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1200" viewBox="0 0 600 600"><defs>` +
    `${gradient('wood', '#b07c49', '#7a5230')}${gradient('metal', '#d9a441', '#8f6218')}${gradient('white', '#fbfbfa', '#d3d2d0')}</defs>${content}</svg>`
  );
}
