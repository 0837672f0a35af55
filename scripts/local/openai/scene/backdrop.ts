/** The backdrop behind the surface, out of focus. */
import { paintLights, paintNeon } from './backdrops/lights.ts';
import { paintDunes, paintSea, paintSnowfield } from './backdrops/outdoors.ts';
import type { PaintContext } from './backdrops/paint-context.ts';
import { paintSeamless, paintStudio, paintTiles, paintWall } from './backdrops/studio.ts';
import type { Camera } from './camera.ts';
import { SoftCanvas } from './canvas.ts';
import { scale } from './colour.ts';
import type { SceneDescription } from './description/describe.ts';
import type { BackdropKind } from './description/places.ts';
import type { Panorama } from './environment/panorama.ts';
import { createViewReader, paintView, type ViewReader } from './environment/view.ts';
import type { SceneLight } from './light.ts';
import { createRandom } from './noise.ts';

/** Rows of the canvas; more are not needed because it is out of focus. */
const canvasRows = 256;

interface Painter {
  paint: (context: PaintContext) => void;
  /** Radius of the disc that a point becomes, as a share of the height; 0 where nothing can be out of focus. */
  defocus: number;
}

const painters: Record<BackdropKind, Painter> = {
  seamless: { paint: paintSeamless, defocus: 0 },
  studio: { paint: paintStudio, defocus: 0 },
  wall: { paint: paintWall, defocus: 0 },
  tiles: { paint: paintTiles, defocus: 0.012 },
  view: { paint: ({ canvas, view }) => paintView(canvas, view), defocus: 0.02 },
  sea: { paint: paintSea, defocus: 0.011 },
  snowfield: { paint: paintSnowfield, defocus: 0.012 },
  dunes: { paint: paintDunes, defocus: 0.012 },
  neon: { paint: paintNeon, defocus: 0.01 },
};

/** Backdrops that take only their sky from the panorama. */
const paintedGround: ReadonlySet<BackdropKind> = new Set(['sea', 'snowfield', 'dunes']);

/** Whether the view already contains lamps, or is the open sea, so that no lamps are painted. */
function hasLights({ backdrop }: SceneDescription): boolean {
  return backdrop.view.panorama === 'esplanade' ? backdrop.kind === 'view' : backdrop.kind === 'sea';
}

/** Draws the backdrop of a description. */
export function createBackdrop(
  description: SceneDescription,
  panorama: Panorama,
  light: SceneLight,
  camera: Camera,
  seed: number,
): SoftCanvas {
  const { width, height } = camera;
  const canvas = new SoftCanvas(width, height, Math.max(1, height / canvasRows));
  const span = width / height;
  const horizon = backdropHorizon(camera, description);
  const read = createViewReader(panorama, description.backdrop.view, {
    width: span,
    horizon,
    mirrored: light.mirrored,
    skyOnly: paintedGround.has(description.backdrop.kind),
  });
  const context: PaintContext = {
    canvas,
    width: span,
    edge: camera.edgeRow / height,
    horizon,
    colour: scale(description.backdrop.colour, 2 ** description.light.backdropExposure),
    light,
    view: graded(read, description, light),
    random: createRandom(seed + 77),
    seed,
    lightX: light.direction[0] < 0 ? span * 0.2 : span * 0.8,
  };
  const painter = painters[description.backdrop.kind];
  painter.paint(context);
  if (description.lights > 0.2 && !hasLights(description)) paintLights(context, description.lights);
  if (painter.defocus > 0) {
    canvas.defocus(painter.defocus);
    canvas.blur(0.004);
  }
  return canvas;
}

/**
 * The row of the backdrop's horizon as a share of the height, slightly above the surface's edge. For a camera that
 * looks down it is moved up less than perspective requires, because a place without a horizon would only be a floor.
 */
function backdropHorizon({ edgeRow, height }: Camera, { backdrop }: SceneDescription): number {
  const edge = edgeRow / height;
  const above = backdrop.kind === 'sea' ? 0.14 : paintedGround.has(backdrop.kind) ? 0.03 : 0.05;
  return Math.max(edge - above, edge * 0.55);
}

/** The view with the light that the description asks for. */
function graded(read: ViewReader, { light: words }: SceneDescription, light: SceneLight): ViewReader {
  const { tint } = light;
  const exposure = 2 ** words.backdropExposure;
  return (x, y, target) => {
    read(x, y, target);
    for (let channel = 0; channel < 3; channel += 1)
      target[channel] = target[channel]! * tint[channel]! * exposure;
  };
}
