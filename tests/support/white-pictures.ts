/** Drawn pictures of white and light products on white, each with a mask of its product without the shadow. */
import sharp from 'sharp';

const side = 640;

/** What a picture shows. SVG within a square of 640 pixels. */
interface Drawing {
  /** The product with its shades. */
  product: string;
  /** Its outline, filled. */
  outline: string;
  /** Its shadow: a filled shape that is blurred by `shadowBlur` pixels, of this opacity. */
  shadow: string;
  shadowBlur?: number;
  shadowOpacity?: number;
  definitions?: string;
}

const gradient = (id: string, from: string, to: string, more = '') =>
  `<linearGradient id="${id}" ${more}><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;

const mugOutline =
  '<path d="M200 190h220v250q0 40-40 40h-140q-40 0-40-40z"/><path d="M415 240q95-10 95 75t-95 85v-40q55-5 55-45t-55-40z"/>';
const shoeOutline = '<path d="M110 420q10-150 60-170l90 20q60 90 190 110q90 15 90 60v30H110z"/>';
const laceHoles = Array.from(
  { length: 49 },
  (_, hole) => `<circle cx="${158 + (hole % 7) * 54}" cy="${158 + Math.floor(hole / 7) * 54}" r="14"/>`,
).join('');

export const drawings = {
  'white mug': {
    definitions: gradient('mug', '#ffffff', '#e2e2e4'),
    product: mugOutline.replaceAll('<path', '<path fill="url(#mug)" stroke="#dedee0" stroke-width="2"'),
    outline: mugOutline,
    shadow: '<ellipse cx="330" cy="478" rx="170" ry="22"/>',
  },
  'white towel': {
    definitions: gradient('towel', '#fcfcfc', '#f0f0f0', 'x2="0" y2="1"'),
    product:
      '<rect x="150" y="120" width="340" height="390" fill="url(#towel)"/><path d="M150 240h340M150 380h340" stroke="#e6e6e6" stroke-width="3"/>',
    outline: '<rect x="150" y="120" width="340" height="390"/>',
    shadow: '<rect x="160" y="132" width="340" height="390"/>',
    shadowOpacity: 0.15,
  },
  'white shoe': {
    definitions: gradient('shoe', '#fafafa', '#d9d9dc', 'x2="0" y2="1"'),
    product:
      shoeOutline.replace('<path', '<path fill="url(#shoe)"') +
      '<rect x="110" y="470" width="430" height="22" fill="#c9c9cc"/><path d="M240 290l70 30M262 330l70 26" stroke="#bbb" stroke-width="6"/>',
    outline: `${shoeOutline}<rect x="110" y="470" width="430" height="22"/>`,
    shadow: '<ellipse cx="330" cy="492" rx="230" ry="16"/>',
  },
  'cream rim': {
    product:
      '<path d="M190 230h260l-30 230q-4 20-30 20h-140q-26 0-30-20z" fill="#6d4a33"/><ellipse cx="320" cy="230" rx="130" ry="34" fill="#f6efe2"/><ellipse cx="320" cy="232" rx="108" ry="24" fill="#4a3122"/>',
    outline:
      '<path d="M190 230h260l-30 230q-4 20-30 20h-140q-26 0-30-20z"/><ellipse cx="320" cy="230" rx="130" ry="34"/>',
    shadow: '<ellipse cx="340" cy="478" rx="160" ry="20"/>',
  },
  glass: {
    definitions: gradient('glass', '#f4f6f6', '#e4e9ea'),
    product:
      '<path d="M220 140h200l-22 360h-156z" fill="url(#glass)" stroke="#b7c0c2" stroke-width="4"/><path d="M236 330h168l-12 164h-144z" fill="#e9eeee"/>',
    outline: '<path d="M218 138h204l-22 364h-160z"/>',
    shadow: '<ellipse cx="330" cy="502" rx="130" ry="14"/>',
    shadowOpacity: 0.2,
  },
  lace: {
    definitions: `<mask id="holes"><rect x="128" y="128" width="384" height="384" rx="30" fill="#fff"/>${laceHoles}</mask>`,
    product: '<rect x="128" y="128" width="384" height="384" rx="30" fill="#efefec" mask="url(#holes)"/>',
    outline: '<rect x="128" y="128" width="384" height="384" rx="30" mask="url(#holes)"/>',
    shadow: '<rect x="134" y="136" width="384" height="384" rx="30"/>',
    shadowOpacity: 0.12,
  },
  'dark duck': {
    product:
      '<ellipse cx="310" cy="360" rx="170" ry="110" fill="#e2b714"/><circle cx="430" cy="230" r="75" fill="#e8bf1d"/><path d="M495 225l70 15-66 26z" fill="#d8641a"/><circle cx="450" cy="210" r="9" fill="#222"/>',
    outline:
      '<ellipse cx="310" cy="360" rx="170" ry="110"/><circle cx="430" cy="230" r="75"/><path d="M495 225l70 15-66 26z"/>',
    shadow: '<ellipse cx="250" cy="462" rx="220" ry="26"/>',
    shadowOpacity: 0.4,
  },
} as const satisfies Record<string, Drawing>;
export type DrawingName = keyof typeof drawings;
export const drawingNames = Object.keys(drawings) as DrawingName[];

const svg = (content: string) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${content}</svg>`),
  );

/** A picture of a product. @param background its colour; @param strength of the shadow, 1 as drawn */
export function drawPicture(
  name: DrawingName,
  { background = '#fff', strength = 1 }: { background?: string; strength?: number } = {},
): Promise<Buffer> {
  const { product, shadow, definitions = '', shadowBlur = 14, shadowOpacity = 0.3 }: Drawing = drawings[name];
  return svg(
    `<defs>${definitions}<filter id="soft" x="-50%" y="-200%" width="200%" height="500%"><feGaussianBlur stdDeviation="${shadowBlur}"/></filter></defs>` +
      `<rect width="100%" height="100%" fill="${background}"/>` +
      `<g filter="url(#soft)" opacity="${shadowOpacity * strength}">${shadow}</g>${product}`,
  )
    .removeAlpha()
    .png()
    .toBuffer();
}

/** 255 for each pixel that belongs to the product completely, 0 for those that do not belong to it at all. */
export async function drawOutline(
  name: DrawingName,
): Promise<{ data: Buffer; width: number; height: number }> {
  const { outline, definitions = '' }: Drawing = drawings[name];
  const { data, info } = await svg(`<defs>${definitions}</defs>${outline}`)
    .extractChannel(3)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
