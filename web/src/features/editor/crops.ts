import { cropLeast, type EditCrop, type EditRecipe } from '#contract/edit-recipe.ts';

interface CropRatio {
  name: string;
  /** Width by height; null is free. */
  ratio: number | null;
  /** What it is used for. */
  use: string;
}

/** The ratios that marketplaces and shops ask for. */
export const cropRatios: readonly CropRatio[] = [
  { name: 'Free', ratio: null, use: 'Any width and height.' },
  {
    name: '1:1',
    ratio: 1,
    use: 'Main images on most marketplaces, such as Amazon and eBay, and in most shops.',
  },
  { name: '4:5', ratio: 4 / 5, use: 'Portrait posts, for example on Instagram.' },
  { name: '2:3', ratio: 2 / 3, use: 'Tall pictures, for example on Pinterest.' },
  { name: '3:2', ratio: 3 / 2, use: 'Wide pictures in shops and blogs.' },
  { name: '16:9', ratio: 16 / 9, use: 'Banners and videos.' },
];

/** A rectangle in pixels. */
interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}
export type CropField = keyof Rectangle;
export type CropSize = Pick<Rectangle, 'width' | 'height'>;

/** The largest crop of a ratio in the middle of an image; null if it is the whole image. */
export function centredCrop(size: CropSize, ratio: number): EditCrop | null {
  const width = Math.min(size.width, size.height * ratio);
  const height = width / ratio;
  return toCrop({ left: (size.width - width) / 2, top: (size.height - height) / 2, width, height }, size);
}

/** A rectangle in pixels as fractions of the image; null if it is the whole image. */
export function toCrop({ left, top, width, height }: Rectangle, size: CropSize): EditCrop | null {
  if (width > size.width - 0.5 && height > size.height - 0.5) return null;
  const across = clamp(width / size.width, cropLeast, 1);
  const down = clamp(height / size.height, cropLeast, 1);
  return {
    left: clamp(left / size.width, 0, 1 - across),
    top: clamp(top / size.height, 0, 1 - down),
    width: across,
    height: down,
  };
}

/** A crop in pixels. */
export function toRectangle(crop: EditCrop | null, { width, height }: CropSize): Rectangle {
  const { left, top, width: across, height: down } = crop ?? { left: 0, top: 0, width: 1, height: 1 };
  return { left: left * width, top: top * height, width: across * width, height: down * height };
}

/**
 * A crop with one of its numbers changed, as far as the image allows. The upper left corner stays if the size changes.
 * @param size of the image, in pixels
 * @param value in pixels
 * @param ratio width by height, which is kept; null for any
 */
export function withField(
  crop: EditCrop | null,
  size: CropSize,
  { field, value, ratio }: { field: CropField; value: number; ratio: number | null },
): EditCrop | null {
  const rectangle = toRectangle(crop, size);
  const { left, top, width, height } = rectangle;
  if (field === 'left') return toCrop({ ...rectangle, left: clamp(value, 0, size.width - width) }, size);
  if (field === 'top') return toCrop({ ...rectangle, top: clamp(value, 0, size.height - height) }, size);
  const room = { width: size.width - left, height: size.height - top };
  const least = { width: size.width * cropLeast, height: size.height * cropLeast };
  if (ratio === null) return toCrop({ ...rectangle, [field]: clamp(value, least[field], room[field]) }, size);
  const across = clamp(
    field === 'width' ? value : value * ratio,
    Math.max(least.width, least.height * ratio),
    Math.min(room.width, room.height * ratio),
  );
  return toCrop({ ...rectangle, width: across, height: across / ratio }, size);
}

/** How far an arrow key moves or resizes a crop, as a fraction of the image. */
const keyStep = 0.02;

/** What an arrow key changes: the position, or the size. */
const keys: Readonly<Record<string, readonly [position: CropField, size: 'width' | 'height', sign: number]>> =
  {
    ArrowLeft: ['left', 'width', -1],
    ArrowRight: ['left', 'width', 1],
    ArrowUp: ['top', 'height', -1],
    ArrowDown: ['top', 'height', 1],
  };

/**
 * A crop after a key was pressed, as far as the image allows; undefined if the key is no arrow.
 * @param size of the image, in pixels
 * @param shortcut as of `shortcutOf`; with Shift the key changes the size instead of the position
 * @param ratio width by height, which is kept; null for any
 */
export function withKey(
  crop: EditCrop | null,
  size: CropSize,
  { shortcut, ratio }: { shortcut: string; ratio: number | null },
): EditCrop | null | undefined {
  const change = keys[shortcut.replace('Shift+', '')];
  if (!change) return undefined;
  const [position, side, sign] = change;
  const field = shortcut.startsWith('Shift+') ? side : position;
  const value = toRectangle(crop, size)[field] + sign * keyStep * size[side];
  return withField(crop, size, { field, value, ratio });
}

/** A turn by 90 degrees: the crop keeps showing the same part of the image. */
export function turned({ rotate, straighten, crop }: EditRecipe, clockwise: boolean): Partial<EditRecipe> {
  const turn = ((rotate + (clockwise ? 90 : 270)) % 360) as EditRecipe['rotate'];
  return { rotate: turn, straighten, crop: crop && turnedCrop(crop, clockwise) };
}

function turnedCrop({ left, top, width, height }: EditCrop, clockwise: boolean): EditCrop {
  const [right, bottom] = [Math.max(0, 1 - left - width), Math.max(0, 1 - top - height)];
  return clockwise
    ? { left: bottom, top: left, width: height, height: width }
    : { left: top, top: right, width: height, height: width };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
