/** The places that a description can name: backdrop, light and usual surface. */
import type { View } from '../environment/panorama.ts';
import { byWord } from './vocabulary.ts';

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
  /** A key of `surfaceWords`, or another word for plain paper: the surface when none is named. */
  surface: string;
}

const view = (name: ViewName, surface: string, more: Partial<Place> = {}): Place => ({
  backdrop: 'view',
  view: name,
  surface,
  ...more,
});
const painted = (backdrop: BackdropKind, name: ViewName, surface: string, more: Partial<Place> = {}): Place =>
  view(name, surface, { ...more, backdrop });
const overMeadow = { low: 'morningMeadow' } as const;
const overSea = { low: 'sunsetSea' } as const;
const inCity = { low: 'square', dark: 'nightStreet' } as const;
const garden = view('garden', 'ledge', overMeadow);
const snowfield = painted('snowfield', 'lagoon', 'snow', overMeadow);
const studio = painted('studio', 'studio', 'studio');

/** Places by the words that name them. */
const places: ReadonlyMap<string, Place> = byWord([
  ['garden', garden],
  ['balcony', { ...garden, surface: 'terrazzo' }],
  ['terrace patio', { ...garden, surface: 'sandstone' }],
  ['park picnic', view('park', 'driftwood', overMeadow)],
  ['lawn', view('park', 'lawn', overMeadow)],
  ['meadow field', view('meadow', 'meadow', overMeadow)],
  ['jungle woods woodland', view('forest', 'moss')],
  ['forest', view('forest', 'driftwood')],
  ['beach seaside shore coast ocean sea', painted('sea', 'sea', 'beach', { ...overSea, dark: 'lagoon' })],
  ['lake', view('lagoon', 'lake', overSea)],
  ['harbour harbor', view('lagoon', 'sandstone', overSea)],
  ['mountain mountains', view('mountains', 'rock', { low: 'mountainSunrise' })],
  ['desert dunes', painted('dunes', 'sea', 'desert', { low: 'mountainSunrise' })],
  ['snowy', snowfield],
  ['kitchen', view('kitchen', 'oak')],
  ['countertop counter', view('kitchen', 'marble')],
  ['café cafe restaurant', view('cafe', 'walnut')],
  ['bar pub', view('bar', 'mahogany')],
  ['hotel', view('bar', 'marble')],
  ['bathroom', painted('tiles', 'window', 'marble')],
  ['spa', painted('tiles', 'window', 'travertine')],
  ['bedroom', view('room', 'linen')],
  ['room living house apartment', view('room', 'oak')],
  ['shelf shelves', painted('wall', 'room', 'shelf')],
  ['office desk workspace', view('office', 'desk')],
  ['windowsill', view('window', 'birch')],
  ['city street urban', view('street', 'pavement', inCity)],
  ['rooftop', view('street', 'concrete', inCity)],
  ['square', view('square', 'pavement', inCity)],
  ['loft industrial warehouse', view('warehouse', 'concrete')],
  ['workshop garage', view('workshop', 'rustic')],
  ['neon club', painted('neon', 'nightStreet', 'glossy')],
]);

/** Place words that can also be attributes ("natural light"): they only count when no other place is named. */
const weakPlaces: ReadonlyMap<string, Place> = byWord([
  ['outdoor outdoors outside nature', garden],
  ['grass', view('park', 'grass', overMeadow)],
  ['snow winter', snowfield],
  ['sky clouds', view('sea', 'concrete', overSea)],
  ['home interior', view('room', 'oak')],
  ['window', view('window', 'birch')],
  ['studio softbox', studio],
]);

/** Every word for a place. */
export const placeWords: ReadonlyMap<string, Place> = new Map([...places, ...weakPlaces]);

/** The place that is named. */
export function placeOf(words: readonly string[]): Place | undefined {
  const word = words.find((each) => places.has(each)) ?? words.find((each) => weakPlaces.has(each));
  return word === undefined ? undefined : placeWords.get(word);
}
