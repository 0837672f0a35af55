/** The places that a description can name: backdrop, light and usual surface. */
import type { PanoramaName } from '../environment/panorama.ts';

/** How the space behind the surface is drawn. */
export type BackdropKind =
  | 'seamless'
  | 'wall'
  | 'studio'
  | 'view'
  | 'sea'
  | 'snowfield'
  | 'dunes'
  | 'tiles'
  | 'neon';

/** Whether floor and backdrop are one evenly lit sheet of paper, without any place. */
export function isSeamless(backdrop: BackdropKind): boolean {
  return backdrop === 'seamless' || backdrop === 'studio';
}

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

/** Every view by name. */
export const views = {
  room: { panorama: 'apartment', yaw: 98, angle: 44, brightness: 0.5 },
  window: { panorama: 'apartment', yaw: 66, angle: 50, brightness: 0.5 },
  kitchen: { panorama: 'apartment', yaw: 205, angle: 42, brightness: 0.52 },
  office: { panorama: 'lobby', yaw: 62, angle: 46, brightness: 0.46 },
  cafe: { panorama: 'esplanade', yaw: 222, angle: 36, brightness: 0.14 },
  bar: { panorama: 'esplanade', yaw: 22, angle: 36, brightness: 0.09 },
  street: { panorama: 'city', yaw: 64, angle: 40, brightness: 0.36 },
  nightStreet: { panorama: 'esplanade', yaw: 146, angle: 40, brightness: 0.06 },
  forest: { panorama: 'forest', yaw: 8, angle: 36, brightness: 0.2 },
  garden: { panorama: 'forest', yaw: 345, angle: 40, brightness: 0.3 },
  park: { panorama: 'park', yaw: 272, angle: 36, brightness: 0.34 },
  meadow: { panorama: 'sunrise', yaw: 285, angle: 40, brightness: 0.36 },
  morningMeadow: { panorama: 'sunrise', yaw: 8, angle: 44, brightness: 0.4 },
  mountains: { panorama: 'dawn', yaw: 225, angle: 40, brightness: 0.3 },
  mountainSunrise: { panorama: 'dawn', yaw: 75, angle: 46, brightness: 0.3 },
  sea: { panorama: 'sky', yaw: 250, angle: 56, brightness: 0.44 },
  sunsetSea: { panorama: 'sunset', yaw: 62, angle: 60, brightness: 0.42 },
  lagoon: { panorama: 'venice', yaw: 108, angle: 50, brightness: 0.3 },
  square: { panorama: 'sunset', yaw: 262, angle: 44, brightness: 0.4 },
  warehouse: { panorama: 'warehouse', yaw: 205, angle: 44, brightness: 0.3 },
  workshop: { panorama: 'workshop', yaw: 330, angle: 44, brightness: 0.28 },
  studio: { panorama: 'studio', yaw: 285, angle: 40, brightness: 0.3 },
} satisfies Record<string, View>;
/** The name of a view. */
export type ViewName = keyof typeof views;

/** A place that words can name. */
export interface Place {
  backdrop: BackdropKind;
  view: ViewName;
  /** Alternative views with a low sun and at night. */
  low?: ViewName;
  dark?: ViewName;
  /** A key of `materialWords`: the surface when none is named. */
  surface: string;
}

const indoors = (view: ViewName, surface: string, dark?: ViewName): Place =>
  dark === undefined ? { backdrop: 'view', view, surface } : { backdrop: 'view', view, surface, dark };
const garden: Place = { backdrop: 'view', view: 'garden', low: 'morningMeadow', surface: 'ledge' };
const park: Place = { backdrop: 'view', view: 'park', low: 'morningMeadow', surface: 'driftwood' };
const meadow: Place = { backdrop: 'view', view: 'meadow', low: 'morningMeadow', surface: 'meadow' };
const forest: Place = { backdrop: 'view', view: 'forest', surface: 'moss' };
const beach: Place = { backdrop: 'sea', view: 'sea', low: 'sunsetSea', dark: 'lagoon', surface: 'beach' };
const mountains: Place = { backdrop: 'view', view: 'mountains', low: 'mountainSunrise', surface: 'rock' };
const street: Place = {
  backdrop: 'view',
  view: 'street',
  low: 'square',
  dark: 'nightStreet',
  surface: 'pavement',
};
const snow: Place = { backdrop: 'snowfield', view: 'lagoon', low: 'morningMeadow', surface: 'snow' };
const desert: Place = { backdrop: 'dunes', view: 'sea', low: 'mountainSunrise', surface: 'desert' };

/** Places by the words that name them. */
export const placeWords: Readonly<Record<string, Place>> = {
  outdoor: garden,
  outdoors: garden,
  outside: garden,
  nature: garden,
  garden,
  balcony: { ...garden, surface: 'terrazzo' },
  terrace: { ...garden, surface: 'sandstone' },
  patio: { ...garden, surface: 'sandstone' },
  picnic: { ...park, surface: 'tablecloth' },
  park,
  meadow,
  field: meadow,
  lawn: { ...park, surface: 'lawn' },
  grass: { ...park, surface: 'grass' },
  jungle: forest,
  forest: { ...forest, surface: 'driftwood' },
  woods: forest,
  woodland: forest,
  beach,
  seaside: beach,
  seashore: beach,
  shore: beach,
  coast: beach,
  ocean: beach,
  sea: beach,
  tropical: beach,
  island: beach,
  lake: { backdrop: 'view', view: 'lagoon', low: 'sunsetSea', surface: 'lake' },
  harbour: { backdrop: 'view', view: 'lagoon', low: 'sunsetSea', surface: 'sandstone' },
  harbor: { backdrop: 'view', view: 'lagoon', low: 'sunsetSea', surface: 'sandstone' },
  mountain: mountains,
  mountains,
  canyon: mountains,
  sky: { backdrop: 'view', view: 'sea', low: 'sunsetSea', surface: 'concrete' },
  clouds: { backdrop: 'view', view: 'sea', low: 'sunsetSea', surface: 'concrete' },
  rooftop: { ...street, surface: 'concrete' },
  desert,
  dunes: desert,
  snow,
  snowy: snow,
  winter: snow,
  kitchen: indoors('kitchen', 'oak'),
  countertop: indoors('kitchen', 'marble'),
  counter: indoors('kitchen', 'marble'),
  café: indoors('cafe', 'walnut'),
  cafe: indoors('cafe', 'walnut'),
  coffeehouse: indoors('cafe', 'walnut'),
  restaurant: indoors('cafe', 'walnut'),
  bakery: indoors('cafe', 'oak'),
  bar: indoors('bar', 'mahogany'),
  pub: indoors('bar', 'mahogany'),
  hotel: indoors('bar', 'marble'),
  bathroom: { backdrop: 'tiles', view: 'window', surface: 'marble' },
  vanity: { backdrop: 'tiles', view: 'window', surface: 'marble' },
  spa: { backdrop: 'tiles', view: 'window', surface: 'travertine' },
  bedroom: indoors('room', 'linen'),
  nightstand: indoors('room', 'oak'),
  living: indoors('room', 'oak'),
  room: indoors('room', 'oak'),
  home: indoors('room', 'oak'),
  house: indoors('room', 'oak'),
  apartment: indoors('room', 'oak'),
  interior: indoors('room', 'oak'),
  shelf: { backdrop: 'wall', view: 'room', surface: 'shelf' },
  shelves: { backdrop: 'wall', view: 'room', surface: 'shelf' },
  office: indoors('office', 'desk'),
  desk: indoors('office', 'desk'),
  workspace: indoors('office', 'desk'),
  windowsill: indoors('window', 'birch'),
  window: indoors('window', 'birch'),
  city: street,
  street,
  urban: street,
  square: { ...street, view: 'square' },
  loft: indoors('warehouse', 'concrete'),
  industrial: indoors('warehouse', 'concrete'),
  warehouse: indoors('warehouse', 'concrete'),
  workshop: indoors('workshop', 'rustic'),
  garage: indoors('workshop', 'concrete'),
  club: { backdrop: 'neon', view: 'nightStreet', surface: 'glossy' },
  cyberpunk: { backdrop: 'neon', view: 'nightStreet', surface: 'glossy' },
  neon: { backdrop: 'neon', view: 'nightStreet', surface: 'glossy' },
  studio: { backdrop: 'studio', view: 'studio', surface: 'studio' },
  softbox: { backdrop: 'studio', view: 'studio', surface: 'studio' },
};

/** Place words that can also be attributes ("natural light"): they only count when no other place is named. */
export const weakPlaces: ReadonlySet<string> = new Set([
  'nature',
  'outdoor',
  'outdoors',
  'outside',
  'winter',
  'sky',
  'clouds',
  'home',
  'window',
  'studio',
  'softbox',
  'interior',
  'grass',
  'snow',
]);
