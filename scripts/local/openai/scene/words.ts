/** The words a description is understood by: materials, places, moods. */
import type { MaterialName } from './surfaces/surface.ts';

/** A material as words name it, with the colour it has when no other is named. */
export const materialWords: Readonly<Record<string, { material: MaterialName; colour: string }>> = {
  oak: { material: 'wood', colour: '#bb8f5e' },
  walnut: { material: 'wood', colour: '#70492f' },
  pine: { material: 'wood', colour: '#d3aa72' },
  cherry: { material: 'wood', colour: '#9a5a38' },
  mahogany: { material: 'wood', colour: '#74392a' },
  birch: { material: 'wood', colour: '#dcc298' },
  maple: { material: 'wood', colour: '#d2a874' },
  ash: { material: 'wood', colour: '#cdb591' },
  teak: { material: 'wood', colour: '#a36c3b' },
  bamboo: { material: 'wood', colour: '#d9b877' },
  ebony: { material: 'wood', colour: '#38281f' },
  driftwood: { material: 'wood', colour: '#a89d8e' },
  rustic: { material: 'wood', colour: '#8a6140' },
  barn: { material: 'wood', colour: '#8f7a66' },
  wooden: { material: 'wood', colour: '#b4814d' },
  wood: { material: 'wood', colour: '#b4814d' },
  timber: { material: 'wood', colour: '#b4814d' },
  plank: { material: 'wood', colour: '#b4814d' },
  planks: { material: 'wood', colour: '#b4814d' },
  table: { material: 'wood', colour: '#b4814d' },
  desk: { material: 'wood', colour: '#b48a5a' },
  shelf: { material: 'wood', colour: '#b48a5a' },
  marble: { material: 'marble', colour: '#efecea' },
  granite: { material: 'terrazzo', colour: '#8d8c8b' },
  quartz: { material: 'marble', colour: '#f0eeec' },
  onyx: { material: 'marble', colour: '#232325' },
  terrazzo: { material: 'terrazzo', colour: '#e4dfd6' },
  concrete: { material: 'concrete', colour: '#a5a4a1' },
  cement: { material: 'concrete', colour: '#a5a4a1' },
  plaster: { material: 'concrete', colour: '#dcd6cb' },
  stone: { material: 'slate', colour: '#b3a997' },
  rock: { material: 'slate', colour: '#87807a' },
  ledge: { material: 'slate', colour: '#c9bda6' },
  slate: { material: 'slate', colour: '#50555a' },
  travertine: { material: 'slate', colour: '#d4c2a5' },
  sandstone: { material: 'slate', colour: '#cdae84' },
  tile: { material: 'tiles', colour: '#e8ebe9' },
  tiles: { material: 'tiles', colour: '#e8ebe9' },
  ceramic: { material: 'tiles', colour: '#e8ebe9' },
  linen: { material: 'linen', colour: '#dbcfbb' },
  cloth: { material: 'linen', colour: '#dbcfbb' },
  tablecloth: { material: 'linen', colour: '#e6dfd2' },
  fabric: { material: 'linen', colour: '#cfc4b4' },
  cotton: { material: 'linen', colour: '#e8e3da' },
  burlap: { material: 'linen', colour: '#b3946a' },
  textile: { material: 'linen', colour: '#cfc4b4' },
  wool: { material: 'linen', colour: '#cfc6ba' },
  blanket: { material: 'linen', colour: '#cfc0ac' },
  velvet: { material: 'velvet', colour: '#5b2334' },
  silk: { material: 'velvet', colour: '#cdb9a6' },
  satin: { material: 'velvet', colour: '#cdb9a6' },
  suede: { material: 'velvet', colour: '#8b6647' },
  leather: { material: 'leather', colour: '#75482c' },
  paper: { material: 'paper', colour: '#efebe4' },
  cardboard: { material: 'paper', colour: '#b58d63' },
  kraft: { material: 'paper', colour: '#b98f63' },
  sand: { material: 'sand', colour: '#d9bf94' },
  beach: { material: 'sand', colour: '#dfc79f' },
  desert: { material: 'sand', colour: '#d3a069' },
  dune: { material: 'sand', colour: '#d3a877' },
  snow: { material: 'snow', colour: '#eaf0f7' },
  snowy: { material: 'snow', colour: '#eaf0f7' },
  ice: { material: 'glass', colour: '#c9dfea' },
  grass: { material: 'grass', colour: '#5d8a35' },
  lawn: { material: 'grass', colour: '#5d8a35' },
  meadow: { material: 'grass', colour: '#6f9440' },
  moss: { material: 'grass', colour: '#5b6f2d' },
  water: { material: 'water', colour: '#3f7f92' },
  pool: { material: 'water', colour: '#3fa3b5' },
  lake: { material: 'water', colour: '#3c6676' },
  metal: { material: 'metal', colour: '#a9adb0' },
  steel: { material: 'metal', colour: '#a9adb0' },
  aluminium: { material: 'metal', colour: '#c2c5c7' },
  aluminum: { material: 'metal', colour: '#c2c5c7' },
  brass: { material: 'metal', colour: '#b5944f' },
  mirror: { material: 'glass', colour: '#b6bcc0' },
  mirrored: { material: 'glass', colour: '#b6bcc0' },
  glass: { material: 'glass', colour: '#bccbd0' },
  acrylic: { material: 'glass', colour: '#d5d9dc' },
  glossy: { material: 'glass', colour: '#d5d6d8' },
};

/** What stands behind the surface. */
export type BackdropKind =
  | 'sweep'
  | 'wall'
  | 'studio'
  | 'garden'
  | 'forest'
  | 'beach'
  | 'desert'
  | 'snowfield'
  | 'sky'
  | 'kitchen'
  | 'cafe'
  | 'room'
  | 'bathroom'
  | 'night'
  | 'neon';

/** A place: its backdrop, and the surface it has when none is named (a key of `materialWords`). */
export const placeWords: Readonly<Record<string, { backdrop: BackdropKind; surface: string }>> = {
  outdoor: { backdrop: 'garden', surface: 'ledge' },
  outdoors: { backdrop: 'garden', surface: 'ledge' },
  outside: { backdrop: 'garden', surface: 'ledge' },
  nature: { backdrop: 'garden', surface: 'ledge' },
  garden: { backdrop: 'garden', surface: 'ledge' },
  park: { backdrop: 'garden', surface: 'driftwood' },
  picnic: { backdrop: 'garden', surface: 'tablecloth' },
  terrace: { backdrop: 'garden', surface: 'sandstone' },
  patio: { backdrop: 'garden', surface: 'sandstone' },
  meadow: { backdrop: 'garden', surface: 'meadow' },
  lawn: { backdrop: 'garden', surface: 'lawn' },
  jungle: { backdrop: 'forest', surface: 'moss' },
  forest: { backdrop: 'forest', surface: 'driftwood' },
  woods: { backdrop: 'forest', surface: 'moss' },
  woodland: { backdrop: 'forest', surface: 'moss' },
  beach: { backdrop: 'beach', surface: 'beach' },
  seaside: { backdrop: 'beach', surface: 'beach' },
  ocean: { backdrop: 'beach', surface: 'beach' },
  sea: { backdrop: 'beach', surface: 'beach' },
  tropical: { backdrop: 'beach', surface: 'beach' },
  lake: { backdrop: 'sky', surface: 'lake' },
  mountain: { backdrop: 'sky', surface: 'rock' },
  mountains: { backdrop: 'sky', surface: 'rock' },
  sky: { backdrop: 'sky', surface: 'concrete' },
  rooftop: { backdrop: 'sky', surface: 'concrete' },
  desert: { backdrop: 'desert', surface: 'desert' },
  dunes: { backdrop: 'desert', surface: 'desert' },
  snow: { backdrop: 'snowfield', surface: 'snow' },
  snowy: { backdrop: 'snowfield', surface: 'snow' },
  winter: { backdrop: 'snowfield', surface: 'snow' },
  kitchen: { backdrop: 'kitchen', surface: 'oak' },
  countertop: { backdrop: 'kitchen', surface: 'marble' },
  café: { backdrop: 'cafe', surface: 'walnut' },
  cafe: { backdrop: 'cafe', surface: 'walnut' },
  restaurant: { backdrop: 'cafe', surface: 'walnut' },
  bar: { backdrop: 'cafe', surface: 'mahogany' },
  bakery: { backdrop: 'cafe', surface: 'oak' },
  coffeehouse: { backdrop: 'cafe', surface: 'walnut' },
  bathroom: { backdrop: 'bathroom', surface: 'marble' },
  spa: { backdrop: 'bathroom', surface: 'travertine' },
  vanity: { backdrop: 'bathroom', surface: 'marble' },
  bedroom: { backdrop: 'room', surface: 'linen' },
  living: { backdrop: 'room', surface: 'oak' },
  room: { backdrop: 'room', surface: 'oak' },
  home: { backdrop: 'room', surface: 'oak' },
  office: { backdrop: 'room', surface: 'desk' },
  windowsill: { backdrop: 'room', surface: 'birch' },
  window: { backdrop: 'room', surface: 'birch' },
  city: { backdrop: 'night', surface: 'concrete' },
  street: { backdrop: 'night', surface: 'concrete' },
  club: { backdrop: 'neon', surface: 'glossy' },
  cyberpunk: { backdrop: 'neon', surface: 'glossy' },
  studio: { backdrop: 'studio', surface: 'studio' },
  softbox: { backdrop: 'studio', surface: 'studio' },
};

/** How a mood changes the light: all numbers are added up over the words found. */
export interface MoodChange {
  /** Warmer (towards 1) or cooler (towards −1) light. */
  warmth?: number;
  /** More or less light, in stops. */
  exposure?: number;
  /** Harder (towards 1) or softer (towards −1) shadows. */
  hardness?: number;
  /** A darker backdrop, in stops. */
  backdropExposure?: number;
  /** More or less saturated. */
  saturation?: number;
  /** Light lower over the horizon, towards 1. */
  lowSun?: number;
  /** Blurred points of light behind, 0–1. */
  lights?: number;
}

/** Mood words and what they do. */
export const moodWords: Readonly<Record<string, MoodChange>> = {
  warm: { warmth: 0.45 },
  cosy: { warmth: 0.5, exposure: -0.15, lights: 0.5 },
  cozy: { warmth: 0.5, exposure: -0.15, lights: 0.5 },
  cool: { warmth: -0.4 },
  cold: { warmth: -0.5 },
  fresh: { warmth: -0.12, exposure: 0.15 },
  dark: { exposure: -0.35, backdropExposure: -1.3, hardness: 0.2 },
  moody: { exposure: -0.4, backdropExposure: -1.4, hardness: 0.3 },
  dramatic: { exposure: -0.25, backdropExposure: -1.4, hardness: 0.5 },
  bright: { exposure: 0.25 },
  airy: { exposure: 0.25, hardness: -0.4 },
  soft: { hardness: -0.5 },
  gentle: { hardness: -0.4 },
  diffused: { hardness: -0.5 },
  harsh: { hardness: 0.6 },
  sunny: { warmth: 0.25, hardness: 0.5, exposure: 0.15 },
  sunlight: { warmth: 0.25, hardness: 0.5 },
  sunlit: { warmth: 0.25, hardness: 0.5 },
  golden: { warmth: 0.75, lowSun: 0.7, hardness: 0.2 },
  sunset: { warmth: 0.8, lowSun: 0.9, exposure: -0.15 },
  sunrise: { warmth: 0.55, lowSun: 0.8 },
  dusk: { warmth: 0.2, lowSun: 0.7, exposure: -0.4 },
  morning: { warmth: 0.25, lowSun: 0.4, exposure: 0.05 },
  evening: { warmth: 0.5, lowSun: 0.6, exposure: -0.25 },
  night: { warmth: -0.25, exposure: -0.6, backdropExposure: -1.2, lights: 0.9 },
  midnight: { warmth: -0.3, exposure: -0.7, backdropExposure: -1.6, lights: 0.6 },
  neon: { exposure: -0.35, backdropExposure: -0.8, lights: 1 },
  luxury: { exposure: -0.12, backdropExposure: -0.8, hardness: 0.2 },
  luxurious: { exposure: -0.12, backdropExposure: -0.8, hardness: 0.2 },
  elegant: { exposure: -0.05, hardness: -0.1 },
  premium: { backdropExposure: -0.6 },
  minimal: { hardness: -0.3 },
  minimalist: { hardness: -0.3 },
  clean: { hardness: -0.2 },
  festive: { warmth: 0.35, lights: 1 },
  christmas: { warmth: 0.35, lights: 1 },
  holiday: { warmth: 0.3, lights: 0.9 },
  party: { lights: 1 },
  candlelight: { warmth: 0.8, exposure: -0.4, lights: 0.7 },
  romantic: { warmth: 0.35, lights: 0.6 },
  pastel: { saturation: -0.08, exposure: 0.12, hardness: -0.2 },
  vintage: { warmth: 0.4, saturation: -0.22 },
  retro: { warmth: 0.35, saturation: -0.1 },
  autumn: { warmth: 0.5, lowSun: 0.3 },
  summer: { warmth: 0.2, exposure: 0.12, hardness: 0.3 },
  spring: { exposure: 0.1, warmth: 0.05 },
  winter: { warmth: -0.25, exposure: 0.05 },
};
