/** Cuts the product out of a photo; the steps are in order of execution. */
import { confidenceOf, leastConfidence, type Signals, signalsOf } from './confidence.ts';
import { type Location, locateProduct } from './locate.ts';
import { cutWithMatte } from './matte.ts';
import type { ChosenModel } from './model-arguments.ts';
import {
  type Box,
  cropPixels,
  decodePhoto,
  flattenOnWhite,
  hasCutAlpha,
  measureSharpness,
  type Pixels,
  type Touches,
  touchedSides,
  visibleBox,
} from './pixels.ts';
import { type Refined, refineProduct } from './refine.ts';
import { chooseModel, loadSaliency } from './saliency.ts';

/** A product without its background. */
export interface Cutout {
  /** Cropped to the visible product; straight alpha; edge colours without the old background. */
  pixels: Pixels;
  /** The sides of the photo's frame that the product touches. */
  touches: Touches;
  /** How likely this is one complete, cleanly separated product, 0–1. */
  confidence: number;
  /** The amount of detail: mean brightness step between neighbouring pixels at a common size. */
  sharpness: number;
  /** Long side of the decoded photo in pixels. */
  photoSide: number;
  /** The position of the pixels in the decoded photo. */
  box: Box;
}

/** Why a photo cannot be cut out. */
export type UncuttableReason = 'nothing-salient' | 'cropped' | 'too-small' | 'inseparable' | 'held';

/** The photo shows no product that can be cut out completely. */
export class UncuttableError extends Error {
  reason: UncuttableReason;
  /** The number of the photo among several, from 1; undefined for the only one. */
  photo: number | undefined;

  constructor(reason: UncuttableReason) {
    super(`the photo cannot be cut: ${reason}`);
    this.name = 'UncuttableError';
    this.reason = reason;
  }
}

const longestPhotoSide = 2048;
const shortestProductSide = 64;
/** In a narrower photo, a product cannot be distinguished from its background. */
const minPhotoSide = 16;
/**
 * In test photos, products had 0.49 or more; walls and patterns in which the model detected something had 0.15 or
 * less.
 */
const minCertainty = 0.35;
/** In test photos, products had 0.34 or more; walls and patterns 0.12 or less. */
const minAgreement = 0.2;

/** Loads a model, so that the first request does not have to wait. @param model the one that comes with the product unless given */
export async function loadCutter(model?: ChosenModel): Promise<void> {
  if (model !== undefined) chooseModel(model);
  await loadSaliency();
}

/**
 * Cuts out one photo. The same bytes give the same pixels.
 * @throws UncuttableError; sharp's error when the bytes are not an image
 */
export async function cutProduct(bytes: Uint8Array): Promise<Cutout> {
  const decoded = await decodePhoto(bytes, longestPhotoSide);
  const { width, height } = decoded;
  if (Math.max(width, height) < shortestProductSide || Math.min(width, height) < minPhotoSide) {
    throw new UncuttableError('too-small');
  }
  if (hasCutAlpha(decoded)) return finish(decoded, fullBox(decoded), decoded, 1);
  const found = await findProduct(flattenOnWhite(decoded));
  const cutout = await finish(
    cutWithMatte(found.crop, found.refined),
    found.location.box,
    decoded,
    found.confidence,
  );
  if (found.confidence < leastConfidence) throw new UncuttableError('inseparable');
  return cutout;
}

/** What was found in a photo, at working size. */
export interface Found {
  location: Location;
  /** The part of the photo around the product, at the photo's size. */
  crop: Pixels;
  refined: Refined;
  signals: Signals;
  confidence: number;
}

/** Finds the product in an opaque photo. @throws UncuttableError when nothing stands out */
export async function findProduct(photo: Pixels): Promise<Found> {
  const location = await locateProduct(photo);
  if (location === undefined || location.certainty < minCertainty || location.agreement < minAgreement) {
    throw new UncuttableError('nothing-salient');
  }
  const crop = cropPixels(photo, location.box);
  const refined = await refineProduct(crop, location);
  const signals = signalsOf(location, refined, photo);
  return { location, crop, refined, signals, confidence: confidenceOf(signals) };
}

/**
 * Crops the result to the product and measures it.
 * @param cut pixels with the product's alpha, which fill `around` in the photo
 */
async function finish(cut: Pixels, around: Box, photo: Pixels, confidence: number): Promise<Cutout> {
  const visible = visibleBox(cut);
  if (visible === undefined) throw new UncuttableError('nothing-salient');
  if (Math.max(visible.width, visible.height) < shortestProductSide) throw new UncuttableError('too-small');
  const touches = touchesOf(touchedSides(cut), around, photo);
  if (Object.values(touches).filter(Boolean).length > 1) throw new UncuttableError('cropped');
  const pixels = cropPixels(cut, visible);
  return {
    pixels,
    touches,
    confidence,
    sharpness: await measureSharpness(pixels),
    photoSide: Math.max(photo.width, photo.height),
    box: { ...visible, left: around.left + visible.left, top: around.top + visible.top },
  };
}

/** The sides of the photo's frame among the touched sides of a box in it. */
export function touchesOf(touched: Touches, around: Box, photo: Pick<Pixels, 'width' | 'height'>): Touches {
  return {
    left: touched.left && around.left === 0,
    top: touched.top && around.top === 0,
    right: touched.right && around.left + around.width === photo.width,
    bottom: touched.bottom && around.top + around.height === photo.height,
  };
}

function fullBox({ width, height }: Pixels): Box {
  return { left: 0, top: 0, width, height };
}
