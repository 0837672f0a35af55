/** What every backdrop is painted with. */
import type { SoftCanvas } from '../canvas.ts';
import type { Colour } from '../colour.ts';
import type { ViewReader } from '../environment/view.ts';
import type { SceneLight } from '../light.ts';
import type { Random } from '../noise.ts';

/** The canvas, its measures, and what the description says about it. */
export interface Stage {
  canvas: SoftCanvas;
  /** Width of the picture, row of the surface's edge and row of the horizon, as shares of the height. */
  width: number;
  edge: number;
  horizon: number;
  colour: Colour;
  light: SceneLight;
  /** Reads the place that gives the scene its light. */
  view: ViewReader;
  random: Random;
  seed: number;
  /** Where the light comes from, as a share of the height. */
  lightX: number;
}

/** Calls `paint` for random places of the canvas. */
export function scatter(
  stage: Stage,
  count: number,
  paint: (x: number, y: number, random: Random) => void,
): void {
  for (let index = 0; index < count; index += 1)
    paint(stage.random() * stage.width, stage.random(), stage.random);
}
