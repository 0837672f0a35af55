/** Draws backdrop and surface: material in perspective, light, relief, reflection and focus. */
import { gaussianBlur } from '../../../../shared/cutout/box-blur.ts';
import { smoothStep } from '../../../../shared/cutout/matte.ts';
import { type Camera, pointAt, type SurfacePlace } from './camera.ts';
import type { SoftCanvas } from './canvas.ts';
import type { SceneDescription } from './description/describe.ts';
import { isSeamless } from './description/places.ts';
import type { Frame } from './frame.ts';
import type { SceneLight } from './light.ts';
import { createNoise, layered } from './noise.ts';
import type { SurfacePoint } from './surface.ts';
import { type MaterialName, materials } from './surfaces.ts';
import { tableWood } from './wood.ts';

/** Ground without an edge, which blends into the landscape. */
const openGround: ReadonlySet<MaterialName> = new Set(['sand', 'snow', 'grass', 'water']);

/** The pattern of sunlight through leaves: from about 0.4 in the shade to 1.3 in the open. */
export function createDapple(seed: number): (u: number, v: number) => number {
  const noise = createNoise(seed + 400);
  return (u, v) => {
    const leaves = layered(noise, u * 1.7 + 8, v * 1.7, 3) + 0.07 * noise(u * 9, v * 9);
    return 0.56 + 0.72 * smoothStep(-0.24, 0.16, leaves);
  };
}

/**
 * Fills the frame with the empty scene.
 * @param hidden 1 for each pixel behind a product, where the surface is not calculated and the neighbouring colour is
 * repeated
 * @returns the average gloss of the surface
 */
export function drawGround(
  frame: Frame,
  description: SceneDescription,
  backdrop: SoftCanvas,
  light: SceneLight,
  camera: Camera,
  seed: number,
  hidden: Uint8Array,
): number {
  const { width, height, data } = frame;
  if (description.pureWhite) {
    data.fill(1);
    return 0;
  }
  const seamless = isSeamless(description.backdrop.kind);
  const { material, colour, isTable } = description.surface;
  const sampler = (isTable && material === 'wood' ? tableWood : materials[material])(colour, seed);
  const front = frontEdgeOf(description, camera);
  const dapple = light.dappled ? createDapple(seed) : undefined;
  const point: SurfacePoint = { red: 0, green: 0, blue: 0, relief: 0, gloss: 0 };
  const place: SurfacePlace = { u: 0, v: 0, across: 0, deep: 0, facing: 0 };
  const behind = new Float32Array(3);
  const mirrored = new Float32Array(3);
  const [lightAcross, lightUp, lightDeep] = light.direction;
  const relief = new Float32Array(width);
  const poolX = width * (0.5 + lightAcross * 0.22);
  // Seen from above, the surface fills the picture.
  const firstRow = Math.max(0, camera.edgeRow);
  const poolY = firstRow + (height - firstRow) * 0.45;
  const isOpen = openGround.has(material);
  const edgeFade = height * (seamless ? 0.2 : isOpen ? 0.022 : 0.006);
  const firstSurfaceRow = Math.max(0, Math.floor(camera.edgeRow - edgeFade));
  const reliefBefore = new Float32Array(width);
  let glossSum = 0;
  let glossCount = 0;

  for (let y = 0; y < height; y += 1) {
    const surfaceShare = smoothStep(camera.edgeRow - edgeFade, camera.edgeRow + edgeFade, y);
    let left = 0;
    for (let x = 0; x < width; x += 1) {
      const to = (y * width + x) * 3;
      if (surfaceShare < 1) backdrop.read(x / height, y / height, behind);
      if (surfaceShare === 0) {
        data[to] = behind[0]! * light.exposure;
        data[to + 1] = behind[1]! * light.exposure;
        data[to + 2] = behind[2]! * light.exposure;
        continue;
      }
      if (x > 0 && hidden[y * width + x] === 1) {
        data.copyWithin(to, to - 3, to);
        relief[x] = left;
        continue;
      }
      // Below its edge, the front of the table shows the wood that ends there.
      pointAt(camera, x, Math.min(front.row, Math.max(y, camera.edgeRow)), place);
      if (y > front.row) place.v -= (y - front.row) * place.across;
      sampler(place.u, place.v, place.deep * 0.5 + place.across * 0.5, point);
      relief[x] = point.relief;
      const slopeU = x === 0 ? 0 : (point.relief - left) / place.across;
      const slopeV = y === firstSurfaceRow ? 0 : (reliefBefore[x]! - point.relief) / place.deep;
      left = point.relief;

      const facing =
        (lightUp - slopeU * lightAcross - slopeV * lightDeep) /
        Math.sqrt(1 + slopeU * slopeU + slopeV * slopeV);
      const direct = Math.max(0, facing) / lightUp;
      const pool = Math.exp(-(((x - poolX) / (width * 0.72)) ** 2) - ((y - poolY) / (height * 0.62)) ** 2);
      const fall =
        seamless && description.backdrop.kind === 'seamless'
          ? 1.07 + 0.05 * pool
          : seamless
            ? 0.34 + 1.15 * pool ** 2
            : 0.58 + 0.56 * pool;
      const sun = dapple === undefined ? 1 : dapple(place.u, place.v);
      const around = (0.36 + 0.04 * (1 - light.hardness)) * fall;
      const key = 0.62 * direct * sun * fall;
      const lit = front.lightAt(y);
      let red = point.red * (light.around[0] * around + light.key[0] * key);
      let green = point.green * (light.around[1] * around + light.key[1] * key);
      let blue = point.blue * (light.around[2] * around + light.key[2] * key);

      red *= lit;
      green *= lit;
      blue *= lit;
      if (point.gloss > 0.04 && y <= front.row) {
        const fresnel = 0.04 + 0.96 * (1 - place.facing) ** 5;
        const share = Math.min(0.92, point.gloss * (0.06 + 0.94 * fresnel + 0.5 * point.gloss ** 3));
        const mirrorY = camera.edgeRow - (y - camera.edgeRow) * 0.55 + slopeV * height * 0.25;
        backdrop.read((x - slopeU * height * 0.2) / height, Math.max(0, mirrorY) / height, mirrored);
        red += (mirrored[0]! - red) * share;
        green += (mirrored[1]! - green) * share;
        blue += (mirrored[2]! - blue) * share;
        // The main light itself, spread by the surface's roughness.
        const awayX = (x - width * (0.5 + lightAcross * 0.42)) / width - slopeU * 0.5;
        const awayY = (y - camera.edgeRow) / height - 0.06 - slopeV * 0.5;
        const sheen =
          Math.exp(-((awayX / 0.24) ** 2) - (awayY / 0.2) ** 2) *
          point.gloss *
          (seamless ? 0.12 : 0.42) *
          sun;
        red += sheen * light.colour[0];
        green += sheen * light.colour[1];
        blue += sheen * light.colour[2];
      }
      glossSum += point.gloss;
      glossCount += 1;
      if (surfaceShare < 1) {
        red = behind[0]! + (red - behind[0]!) * surfaceShare;
        green = behind[1]! + (green - behind[1]!) * surfaceShare;
        blue = behind[2]! + (blue - behind[2]!) * surfaceShare;
      }
      data[to] = red * light.exposure;
      data[to + 1] = green * light.exposure;
      data[to + 2] = blue * light.exposure;
    }
    reliefBefore.set(relief);
  }
  if (!seamless) defocus(frame, camera.edgeRow);
  return glossCount === 0 ? 0 : glossSum / glossCount;
}

/** The front edge of a table; see `frontEdgeOf`. */
interface FrontEdge {
  /** The last row of the table's top. */
  row: number;
  /** A factor for the light at a row. */
  lightAt(row: number): number;
}

/** Where a table's front edge is, as a share of the picture's height. */
const frontEdge = 0.945;

/** The front edge of the table, by which it is a table and not a floor; below the picture for everything else. */
function frontEdgeOf(
  { surface, framing }: SceneDescription,
  { height, edgeRow, footRow }: Camera,
): FrontEdge {
  const row = Math.round(height * frontEdge);
  // A product that the picture's frame cuts off would hang over the edge.
  const isHidden = framing.topView || edgeRow < 0 || footRow > row;
  if (!surface.isTable || isHidden) return { row: height, lightAt: () => 1 };
  const round = height * 0.005;
  return {
    row,
    lightAt(y) {
      // The rounded edge catches the light; the front itself faces away from it.
      const rim = 0.35 * Math.exp(-(((y - row) / round) ** 2));
      return rim + 1 - smoothStep(row, row + 2 * round, y) * (0.5 + 0.2 * smoothStep(row, height * 1.02, y));
    },
  };
}

/** Blurs the far part of the surface, increasingly with distance. */
function defocus(frame: Frame, edgeRow: number): void {
  const { width, height, data } = frame;
  const depth = height - edgeRow;
  const first = Math.max(0, Math.floor(edgeRow - height * 0.03));
  const last = Math.min(height, Math.floor(edgeRow + depth * 0.46));
  const rows = last - first;
  if (rows < 8) return;
  for (let channel = 0; channel < 3; channel += 1) {
    const plane = new Float32Array(width * rows);
    for (let index = 0; index < plane.length; index += 1)
      plane[index] = data[(first * width + index) * 3 + channel]!;
    const soft = gaussianBlur(plane, width, rows, height * 0.0045);
    for (let row = 0; row < rows; row += 1) {
      const far = 1 - (first + row - edgeRow) / (depth * 0.46);
      // The backdrop is already blurred, so above the edge the blur fades out.
      const onset = smoothStep(0, edgeRow - first, row);
      const share = onset * smoothStep(0, 0.7, far);
      for (let x = 0; x < width; x += 1) {
        const index = row * width + x;
        data[(first * width + index) * 3 + channel] = plane[index]! + (soft[index]! - plane[index]!) * share;
      }
    }
  }
}
