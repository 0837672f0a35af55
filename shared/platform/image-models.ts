import { type ImageCapabilities, type ImageSize, imageSizeNames, imageSizes } from '#contract';
import type { Config } from './config.ts';

/** What the models of one family can do (docs/provider.md). */
interface ModelFamily {
  /** Beginning of the names of its models. */
  name: string;
  /** `three`: 1024 × 1024, 1024 × 1536 and 1536 × 1024. `any`: every width and height that is a multiple of 16. */
  sizes: 'three' | 'any';
  transparentBackground: boolean;
  mask: boolean;
}

const families: readonly ModelFamily[] = [
  { name: 'gpt-image-1.5', sizes: 'three', transparentBackground: true, mask: true },
  { name: 'gpt-image-1-mini', sizes: 'three', transparentBackground: true, mask: true },
  { name: 'gpt-image-2', sizes: 'any', transparentBackground: true, mask: true },
  { name: 'chatgpt-image', sizes: 'three', transparentBackground: true, mask: true },
];

/** Of a model that is not in the table, only what every model can do is expected. */
const unknownFamily: Omit<ModelFamily, 'name'> = {
  sizes: 'three',
  transparentBackground: false,
  mask: false,
};

const threeSizes: readonly ImageSize[] = ['square', 'portrait', 'landscape'];
const isMultiple = (pixels: number) => pixels % 16 === 0;

/** What the image model of this installation can do. Only the local renderer takes seeds; it makes every size. */
export function imageCapabilitiesOf({
  provider,
  model,
}: Pick<Config['image'], 'provider' | 'model'>): ImageCapabilities {
  if (provider === 'local') {
    return { sizes: [...imageSizeNames], transparentBackground: true, seed: true, mask: true };
  }
  const family = families.find(({ name }) => model.startsWith(name)) ?? unknownFamily;
  const { transparentBackground, mask } = family;
  const sizes =
    family.sizes === 'three'
      ? [...threeSizes]
      : imageSizeNames.filter((name) => Object.values(imageSizes[name]).every(isMultiple));
  return { sizes, transparentBackground, seed: false, mask };
}
