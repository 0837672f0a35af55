/** Panoramas of real places in linear light (HDRIs of the package @pmndrs/assets, CC0-1.0). */
import { FloatType } from 'three';
import { EXRLoader } from 'three/addons/loaders/EXRLoader.js';
import { smoothStep } from '../../../../../shared/cutout/matte.ts';
import type { SoftCanvas } from '../canvas.ts';
import { luminance } from '../colour.ts';

/** The available panoramas. Each file is a module that exports the picture as a data URL. */
const files = {
  apartment: () => import('@pmndrs/assets/hdri/apartment.exr.js'),
  city: () => import('@pmndrs/assets/hdri/city.exr.js'),
  dawn: () => import('@pmndrs/assets/hdri/dawn.exr.js'),
  esplanade: () => import('@pmndrs/assets/hdri/esplanade.exr.js'),
  forest: () => import('@pmndrs/assets/hdri/forest.exr.js'),
  lobby: () => import('@pmndrs/assets/hdri/lobby.exr.js'),
  park: () => import('@pmndrs/assets/hdri/park.exr.js'),
  sky: () => import('@pmndrs/assets/hdri/sky.exr.js'),
  studio: () => import('@pmndrs/assets/hdri/studio.exr.js'),
  sunrise: () => import('@pmndrs/assets/hdri/sunrise.exr.js'),
  sunset: () => import('@pmndrs/assets/hdri/sunset.exr.js'),
  venice: () => import('@pmndrs/assets/hdri/venice.exr.js'),
  warehouse: () => import('@pmndrs/assets/hdri/warehouse.exr.js'),
  workshop: () => import('@pmndrs/assets/hdri/workshop.exr.js'),
};
/** The name of a panorama. */
type PanoramaName = keyof typeof files;

/** A view into a panorama. */
export interface View {
  panorama: PanoramaName;
  /** The direction of the camera, in degrees to the right of the panorama's centre. */
  yaw: number;
  /** Vertical angle of view in degrees; a smaller angle shows less of the place, magnified. */
  angle: number;
  /** The median luminance of the view, 0–1: how bright the place looks. */
  brightness: number;
}

/** An equirectangular picture: 360° from left to right, zenith in the first row, nadir in the last. */
export interface Panorama {
  width: number;
  height: number;
  /** Red, green and blue in linear light; 1 is the mean luminance of the whole sphere. */
  data: Float32Array;
}

/**
 * The sun's pixels are capped here, in multiples of the sphere's mean; some files contain values beyond a 16-bit
 * float.
 */
const brightest = 4_000;

const loaded = new Map<PanoramaName, Promise<Panorama>>();

/** Loads a panorama; cached per thread. */
export function loadPanorama(name: PanoramaName): Promise<Panorama> {
  let panorama = loaded.get(name);
  if (panorama === undefined) {
    panorama = decodePanorama(name);
    loaded.set(name, panorama);
  }
  return panorama;
}

async function decodePanorama(name: PanoramaName): Promise<Panorama> {
  const { default: dataUrl }: { default: string } = await files[name]();
  const bytes = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
  const loader = new EXRLoader();
  loader.setDataType(FloatType);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const { width, height, data: pixels } = loader.parse(buffer);
  if (width === undefined || height === undefined || pixels === undefined)
    throw new Error(`the panorama ${name} cannot be read`);
  const channels = pixels.length / (width * height);
  const data = new Float32Array(width * height * 3);
  // The loader returns the lowest row first.
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const from = ((height - 1 - row) * width + column) * channels;
      const to = (row * width + column) * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        const value = Number(pixels[from + channel]);
        data[to + channel] = Number.isFinite(value) ? Math.max(0, value) : Number.NaN;
      }
    }
  }
  repairBrightest(data);
  const panorama = { width, height, data };
  const mean = meanLuminance(panorama);
  for (let index = 0; index < data.length; index += 1) data[index] = Math.min(brightest, data[index]! / mean);
  return panorama;
}

/**
 * Repairs pixels of the sun that exceed the range of some files: a channel that is not a number, or zero beside a
 * very bright one, gets the brightness of the brightest channel.
 */
function repairBrightest(data: Float32Array): void {
  for (let at = 0; at < data.length; at += 3) {
    const values = [data[at]!, data[at + 1]!, data[at + 2]!].filter((value) => !Number.isNaN(value));
    const most = values.length === 0 ? brightest : Math.max(...values);
    for (let channel = 0; channel < 3; channel += 1) {
      const value = data[at + channel]!;
      if (Number.isNaN(value) || (most > 100 && value < most * 0.05)) data[at + channel] = most;
    }
  }
}

/** The mean over the sphere, with the sun capped. */
function meanLuminance({ width, height, data }: Panorama): number {
  let sum = 0;
  let weights = 0;
  for (let row = 0; row < height; row += 1) {
    const weight = Math.sin((Math.PI * (row + 0.5)) / height);
    for (let column = 0; column < width; column += 1) {
      const at = (row * width + column) * 3;
      sum += weight * Math.min(20, luminance([data[at]!, data[at + 1]!, data[at + 2]!]));
      weights += weight;
    }
  }
  return sum / weights;
}

/**
 * The interpolated colour in a direction.
 * @param azimuth in radians, 0 at the panorama's centre, positive to the right
 * @param elevation in radians, 0 at the horizon, positive upwards
 * @param target receives red, green and blue
 */
function readPanorama(
  { width, height, data }: Panorama,
  azimuth: number,
  elevation: number,
  target: Float32Array,
): void {
  const turns = azimuth / (2 * Math.PI) + 0.5;
  const column = (turns - Math.floor(turns)) * width - 0.5;
  const row = Math.min(height - 1, Math.max(0, (0.5 - elevation / Math.PI) * height - 0.5));
  const left = Math.floor(column);
  const top = Math.min(height - 2, Math.floor(row));
  const fx = smoothStep(0, 1, column - left);
  const fy = smoothStep(0, 1, row - top);
  const x0 = ((left % width) + width) % width;
  const x1 = (x0 + 1) % width;
  for (let channel = 0; channel < 3; channel += 1) {
    const upperLeft = data[(top * width + x0) * 3 + channel]!;
    const upperRight = data[(top * width + x1) * 3 + channel]!;
    const lowerLeft = data[((top + 1) * width + x0) * 3 + channel]!;
    const lowerRight = data[((top + 1) * width + x1) * 3 + channel]!;
    const upper = upperLeft + (upperRight - upperLeft) * fx;
    const lower = lowerLeft + (lowerRight - lowerLeft) * fx;
    target[channel] = upper + (lower - upper) * fy;
  }
}

/** Reads the place at a point of the picture, in shares of its height, scaled to the view's brightness. */
export type ViewReader = (x: number, y: number, target: Float32Array) => void;

/** The camera; see `createViewReader`. */
interface ViewFrame {
  /** Width of the picture as a share of its height. */
  width: number;
  /** The row of the horizon as a share of the height. */
  horizon: number;
  mirrored: boolean;
  /** Only the sky is shown, compressed so that more than the strip above the horizon is visible. */
  skyOnly: boolean;
}

/** Tangent of the elevation up to which the sky is visible at least. */
const leastSky = 0.42;

/** The upper limit for the luminance at which the brightest fifth of a view begins. */
const brightestFifth = 1.2;
/** Samples in each direction for measuring the brightness of a view. */
const samples = 24;

/**
 * Creates a reader. The camera is level, so vertical lines stay vertical; its lens is shifted to place the horizon.
 */
export function createViewReader(panorama: Panorama, view: View, frame: ViewFrame): ViewReader {
  const yaw = (view.yaw * Math.PI) / 180;
  const focal = 0.5 / Math.tan((view.angle * Math.PI) / 360);
  const upFocal = frame.skyOnly ? Math.min(focal, frame.horizon / leastSky) : focal;
  const side = frame.mirrored ? -1 : 1;
  const read: ViewReader = (x, y, target) => {
    const across = ((x - frame.width / 2) / focal) * side;
    const up = (frame.horizon - y) / upFocal;
    readPanorama(panorama, yaw + Math.atan(across), Math.atan2(up, Math.hypot(1, across)), target);
  };
  const pixel = new Float32Array(3);
  const values: number[] = [];
  for (let row = 0; row < samples; row += 1) {
    for (let column = 0; column < samples; column += 1) {
      // Only the upper part is measured, because the surface hides the rest.
      const y = ((row + 0.5) / samples) * (frame.skyOnly ? frame.horizon : 0.6);
      read(((column + 0.5) / samples) * frame.width, y, pixel);
      values.push(luminance([pixel[0]!, pixel[1]!, pixel[2]!]));
    }
  }
  values.sort((first, second) => first - second);
  const median = Math.max(1e-3, values[values.length >> 1]!);
  const bright = Math.max(1e-3, values[Math.floor(values.length * 0.8)]!);
  // A view that is mostly sky must not become mostly white.
  const scale = Math.min(view.brightness / median, brightestFifth / bright);
  return (x, y, target) => {
    read(x, y, target);
    // Light sources may outshine the rest, but within limits, so that they become discs and do not fill the picture.
    for (let channel = 0; channel < 3; channel += 1) target[channel] = Math.min(9, target[channel]! * scale);
    const most = Math.max(target[0]!, target[1]!, target[2]!);
    if (most < 2) return;
    // Overexposed pixels lose their colour.
    const share = Math.min(1, (most - 2) / 4);
    for (let channel = 0; channel < 3; channel += 1)
      target[channel] = target[channel]! + (most * sourceTint[channel]! - target[channel]!) * share;
  };
}

const sourceTint = [1, 0.94, 0.82];

/** Fills a canvas with a view. */
export function paintView(canvas: SoftCanvas, read: ViewReader): void {
  const pixel = new Float32Array(3);
  canvas.fill((x, y) => {
    read(x, y, pixel);
    return [pixel[0]!, pixel[1]!, pixel[2]!];
  });
}
