/** All materials of surfaces. */
import { grass, sand, snow, water } from './ground.ts';
import { glass, metal, plain } from './smooth.ts';
import { concrete, marble, slate, terrazzo, tiles } from './stone.ts';
import type { Material } from './surface.ts';
import { leather, linen, paper, velvet } from './textile.ts';
import { wood } from './wood.ts';

/** Every material by name. */
export const materials = {
  wood,
  marble,
  concrete,
  slate,
  terrazzo,
  tiles,
  linen,
  velvet,
  leather,
  paper,
  sand,
  snow,
  grass,
  water,
  metal,
  glass,
  plain,
} satisfies Record<string, Material>;

/** The name of a material. */
export type MaterialName = keyof typeof materials;
