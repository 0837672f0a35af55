/** The camera: maps pixels to points of the surface. */

/** A pinhole camera above the surface; its lens is shifted so that the surface ends at the requested row. */
export interface Camera {
  width: number;
  height: number;
  /** Where the surface ends; above the picture when only the surface is visible. */
  edgeRow: number;
  /** Where the products stand. */
  footRow: number;
  /** Sine and cosine of the camera's pitch. */
  sine: number;
  cosine: number;
  /** In pixels. */
  focalLength: number;
  /** The row on the optical axis. */
  centreRow: number;
  /** Units of the surface per camera height; keeps the grain of a material at the same size for every camera. */
  scale: number;
}

/** A point of the surface; see `pointAt`. */
export interface SurfacePlace {
  u: number;
  v: number;
  /** The size of a pixel across and in depth, in units of the surface. */
  across: number;
  deep: number;
  /** Cosine between the view and the surface's normal: 1 straight down, 0 grazing. */
  facing: number;
}

/** How many units of the surface the picture's shorter side shows where the products stand. */
const unitsAcross = { goods: 1.9, furniture: 5.5 };
/** From this value on, only the surface is visible. */
const straightDown = 0.85;

/**
 * Creates the camera.
 * @param fromAbove sine of the angle at which it looks down
 * @param edgeRow where the surface ends; ignored when the camera looks straight down
 * @param footRow where the products stand
 * @param size how large they are: beside furniture, the grain of a material is smaller
 */
export function createCamera(
  width: number,
  height: number,
  fromAbove: number,
  edgeRow: number,
  footRow: number,
  size: keyof typeof unitsAcross = 'goods',
): Camera {
  const looksDown = fromAbove >= straightDown;
  const sine = looksDown ? 0.985 : fromAbove;
  const cosine = Math.sqrt(1 - sine * sine);
  const focalLength = height * 1.55;
  const horizonRow = edgeRow - height * (0.06 + sine * 0.5);
  const camera: Camera = {
    width,
    height,
    edgeRow: looksDown ? -height : edgeRow,
    footRow,
    sine,
    cosine,
    focalLength,
    centreRow: looksDown ? height / 2 : horizonRow + (sine / cosine) * focalLength,
    scale: 1,
  };
  const foot: SurfacePlace = { u: 0, v: 0, across: 0, deep: 0, facing: 0 };
  pointAt(camera, width / 2, looksDown ? height / 2 : footRow, foot);
  camera.scale = unitsAcross[size] / (foot.across * Math.min(width, height));
  return camera;
}

/** The same camera for a picture that is smaller by an integer factor. */
export function reduceCamera(camera: Camera, factor: number): Camera {
  return {
    ...camera,
    width: camera.width / factor,
    height: camera.height / factor,
    edgeRow: camera.edgeRow / factor,
    footRow: camera.footRow / factor,
    focalLength: camera.focalLength / factor,
    centreRow: camera.centreRow / factor,
  };
}

/** The point of the surface behind a pixel below `edgeRow`, written into `place`. */
export function pointAt(camera: Camera, x: number, y: number, place: SurfacePlace): void {
  const down = (y - camera.centreRow) / camera.focalLength;
  const side = (x - camera.width / 2) / camera.focalLength;
  const drop = Math.max(1e-3, camera.sine + down * camera.cosine);
  const distance = camera.scale / drop;
  place.u = side * distance;
  place.v = (camera.cosine - down * camera.sine) * distance;
  place.across = distance / camera.focalLength;
  place.deep = distance / drop / camera.focalLength;
  place.facing = drop / Math.sqrt(1 + down * down + side * side);
}
