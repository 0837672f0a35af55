import type { GenerationView } from '#contract';
import { colourCell } from './compare.ts';
import type { Distortion } from './geometry.ts';
import type { ColourChange } from './light.ts';
import { leastInliers, type Measurement, otherPalette, sameOutline } from './measure.ts';
import { textureCell } from './texture.ts';

export type MatchLevel = NonNullable<GenerationView['match']>['level'];
type Found = NonNullable<Measurement['found']>;

/** Mirrored features that must agree, and how many times as many as straight ones. */
const [leastMirrored, moreMirrored] = [15, 1.5];
/** How much better the mirrored outline must fit, if there are no features. */
const betterMirrored = 0.05;
/** Share of the textures that agree, below which the image shows another view or another product. */
const sameView = 0.7;
/** Cells with texture without which their share says nothing, and which part of all must have some. */
const [leastTextured, leastCovered] = [8, 0.05];
/** A large label may cover most of a product: less is enough if what agrees lies exactly in place and looks the same. */
const [sameViewAroundLabel, exactlyInPlace, exactlySame] = [0.45, 0.8, 0.95];
/** Share of the parts that are found again although they do not lie where they should: the product is bent. */
const [foundAgain, inPlace] = [0.6, 0.7];
/** It is also bent if less of its texture lies in place than of one that is not, but this much looks exactly the same. */
const bentInPlace = 0.35;
/** Parts were compared before the place was exact: if this share of the texture then agrees, nothing is bent. */
const surelyStraight = 0.95;
/**
 * So many features agree with one place only if it is one side of the product; if its texture then lies elsewhere, it is bent.
 * Other views of a product have up to 91 in common, those that agree with nothing else up to 60.
 */
const [surelyOneSide, likelyOneSide] = [100, 60];
/** Outline and colours of a product that only looks like it, of which no texture and no features agree. */
const [similarOutline, hardlyAgrees, fewInliers, sameColours, sameChroma] = [0.8, 0.2, 8, 0.06, 6];
/** Neighbouring cells of another texture: of the same product, hardly ever two. Single ones anywhere that make a match medium. */
const [otherTexture, doubtfulCells] = [2, 3];
/** Stretch without perspective, and what the perspective of a depth of 1 allows in addition. */
const [stretched, stretchedByDepth] = [0.034, 0.45];

/** How sure it is that an image shows the product of a photo (docs/product-match.md has what it was measured with). */
export function judge(measured: Measurement): MatchLevel {
  if (isMirrored(measured)) return 'low';
  const { found, inliers, palette } = measured;
  const hasOtherColours = palette !== null && palette > otherPalette;
  if (!found) return hasOtherColours ? 'low' : 'unknown';
  if (!isPlaced(measured)) {
    const isOther =
      isLookAlike(measured) || hasOtherColours || (inliers >= leastInliers && isBent(found, inliers));
    return isOther ? 'low' : 'unknown';
  }
  if (isBent(found, inliers) || isStretched(found.distortion) || hasOtherColour(found.colour)) return 'low';
  if (found.texture.group >= otherTexture) return 'low';
  return found.texture.differing >= doubtfulCells ? 'medium' : 'high';
}

/** Whether it is known where the product, or another one of its shape, stands in the image. */
export function isFound({ inliers, outlines, found }: Measurement): boolean {
  const hasOutline = outlines !== null && outlines.straight >= sameOutline;
  return inliers >= leastInliers || hasOutline || (found !== null && agreesInPlace(found));
}

const isPlaced = (measured: Measurement) => isFound(measured) && isSameView(measured.found!);

const agreeingShare = ({ textured, differing }: Found['texture']) =>
  textured < leastTextured ? 1 : 1 - differing / textured;

function isSameView({ texture, parts, colour }: Found): boolean {
  const agreeing = agreeingShare(texture);
  // A plain product looks the same from everywhere, and what little differs was put on it.
  const isPlain = texture.textured * textureCell ** 2 < leastCovered * colour.cells * colourCell ** 2;
  if (agreeing >= sameView || isPlain) return true;
  const isExact = parts.agreeing >= exactlyInPlace * parts.found && texture.likeness >= exactlySame;
  return agreeing >= sameViewAroundLabel && isExact;
}

/** Without features, texture that lies in place all over says as much as an outline. */
function agreesInPlace({ texture, parts }: Found): boolean {
  const isExact = parts.found >= leastTextured && parts.agreeing >= exactlyInPlace * parts.found;
  return isExact && texture.textured >= leastTextured && agreeingShare(texture) >= surelyStraight;
}

function isMirrored({ inliers, mirroredInliers, outlines }: Measurement): boolean {
  if (mirroredInliers >= leastMirrored && mirroredInliers > moreMirrored * inliers) return true;
  return (
    inliers < leastInliers && outlines !== null && outlines.mirrored > outlines.straight + betterMirrored
  );
}

function isBent({ parts, texture }: Found, inliers: number): boolean {
  const agreeing = agreeingShare(texture);
  if (agreeing >= surelyStraight) return false;
  const isBeside = parts.found >= foundAgain * parts.textured && parts.agreeing < inPlace * parts.found;
  if (agreeing >= sameView) return isBeside;
  if (inliers >= surelyOneSide) return true;
  return (
    inliers >= likelyOneSide && (isBeside || (agreeing > bentInPlace && texture.likeness >= exactlySame))
  );
}

/**
 * What has the outline of the product, nearly, and its colours in the same places shows the same side: if no texture and no
 * feature agrees, it is another product, such as another shirt.
 */
function isLookAlike({ found, inliers, outlines }: Measurement): boolean {
  if (found === null || outlines === null || inliers >= fewInliers) return false;
  const { texture, colour } = found;
  const isElsewhere = texture.textured >= leastTextured && agreeingShare(texture) < hardlyAgrees;
  const hasSameColours = colour.recoloured < sameColours && colour.chroma < sameChroma;
  return outlines.straight >= similarOutline && isElsewhere && hasSameColours;
}

/** A picture that leans is shorter in one direction too, but then one end of it is smaller than the other. */
function isStretched({ stretch, depth }: Distortion): boolean {
  return stretch > stretched + stretchedByDepth * depth;
}

/** Light that lamps and the sky have, as natural logarithm (light.ts), and what may remain of the colours. */
const [darkest, brightest, warmest, greenest] = [-1, 0.42, 0.45, 0.12];
const [otherChroma, recoloured, relighted] = [7, 0.04, 0.06];

function hasOtherColour(colour: ColourChange): boolean {
  const { exposure, warmth, green } = colour;
  const isLight =
    exposure > darkest && exposure < brightest && Math.abs(warmth) < warmest && Math.abs(green) < greenest;
  if (!isLight) return true;
  return colour.chroma > otherChroma || colour.recoloured > recoloured || colour.relighted > relighted;
}
