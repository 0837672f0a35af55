/** The camera: which point of the surface a pixel shows. */

/** A pinhole camera one unit above the surface, shifted so that the surface ends at the wanted row. */
export interface Camera {
  width: number;
  height: number;
  edgeRow: number;
  /** Sine and cosine of the pitch. */
  sine: number;
  cosine: number;
  /** In pixels. */
  focalLength: number;
  /** The row the camera looks at straight. */
  centreRow: number;
}

/** A point of the surface; see `pointAt`. */
export interface SurfacePlace {
  u: number;
  v: number;
  /** The size of a pixel across and into the depth, in units of the surface. */
  across: number;
  deep: number;
  /** Cosine between the view and the surface's normal: 1 straight down, 0 grazing. */
  facing: number;
}

/** Makes the camera for an arrangement; the horizon is a little above the surface's end. */
export function createCamera(width: number, height: number, fromAbove: number, edgeRow: number): Camera {
  const cosine = Math.sqrt(1 - fromAbove * fromAbove);
  const focalLength = height * 1.55;
  const horizonRow = edgeRow - height * (0.06 + fromAbove * 0.5);
  return {
    width,
    height,
    edgeRow,
    sine: fromAbove,
    cosine,
    focalLength,
    centreRow: horizonRow + (fromAbove / cosine) * focalLength,
  };
}

/** The surface's point behind a pixel below `edgeRow`, written into `place`. */
export function pointAt(camera: Camera, x: number, y: number, place: SurfacePlace): void {
  const down = (y - camera.centreRow) / camera.focalLength;
  const side = (x - camera.width / 2) / camera.focalLength;
  const drop = Math.max(1e-3, camera.sine + down * camera.cosine);
  const distance = 1 / drop;
  place.u = side * distance;
  place.v = (camera.cosine - down * camera.sine) * distance;
  place.across = distance / camera.focalLength;
  place.deep = (distance * distance) / camera.focalLength;
  place.facing = drop / Math.sqrt(1 + down * down + side * side);
}
