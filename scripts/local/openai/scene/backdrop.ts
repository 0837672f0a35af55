/** What stands behind the surface, out of focus. */
import { paintBathroom, paintCafe, paintKitchen, paintRoom } from './backdrops/indoors.ts';
import { paintLights, paintNeon, paintNight } from './backdrops/lights.ts';
import {
  paintBeach,
  paintDesert,
  paintForest,
  paintGarden,
  paintSky,
  paintSnowfield,
} from './backdrops/outdoors.ts';
import type { Stage } from './backdrops/stage.ts';
import { paintStudio, paintSweep, paintWall } from './backdrops/studio.ts';
import { SoftCanvas } from './canvas.ts';
import { scale } from './colour.ts';
import type { SceneDescription } from './describe.ts';
import type { SceneLight } from './light.ts';
import { createRandom } from './noise.ts';
import type { BackdropKind } from './words.ts';

const coarseness = 4;

/** Draws the backdrop of a description. */
export function createBackdrop(
  description: SceneDescription,
  light: SceneLight,
  width: number,
  height: number,
  edgeRow: number,
  seed: number,
): SoftCanvas {
  const canvas = new SoftCanvas(width, height, coarseness);
  const span = width / height;
  const stage: Stage = {
    canvas,
    width: span,
    edge: edgeRow / height,
    colour: scale(description.backdrop.colour, 2 ** description.light.backdropExposure),
    light,
    random: createRandom(seed + 77),
    seed,
    lightX: light.direction[0] < 0 ? span * 0.2 : span * 0.8,
  };
  painters[description.backdrop.kind](stage);
  if (description.lights > 0.2) paintLights(stage, description.lights);
  return canvas;
}

const painters: Record<BackdropKind, (stage: Stage) => void> = {
  sweep: paintSweep,
  wall: paintWall,
  studio: paintStudio,
  garden: paintGarden,
  forest: paintForest,
  beach: paintBeach,
  desert: paintDesert,
  snowfield: paintSnowfield,
  sky: paintSky,
  kitchen: paintKitchen,
  cafe: paintCafe,
  room: paintRoom,
  bathroom: paintBathroom,
  night: paintNight,
  neon: paintNeon,
};
