import { z } from 'zod';
import { type ImageSize, imageSizeNames, imageSizes } from './image-sizes.ts';

/** The image providers: OpenAI, the local renderer (docs/renderer.md), and one for tests that returns the photo on a colour. */
export const imageProviderNames = ['openai', 'local', 'echo'] as const;
export type ImageProviderName = (typeof imageProviderNames)[number];

/** What the image model of this installation can do. */
export const imageCapabilitiesSchema = z.object({
  /** The sizes that it makes. */
  sizes: z.array(z.enum(imageSizeNames)),
  transparentBackground: z.boolean(),
  /** Whether it takes seeds: the same seed with the same request makes the same image. */
  seed: z.boolean(),
  /** Whether it can change only a marked area of an image. */
  mask: z.boolean(),
});
export type ImageCapabilities = z.infer<typeof imageCapabilitiesSchema>;

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

/** What the models of OpenAI can do. They take no seeds. */
function openAiCapabilities(model: string): ImageCapabilities {
  const { sizes, transparentBackground, mask } =
    families.find(({ name }) => model.startsWith(name)) ?? unknownFamily;
  return {
    sizes:
      sizes === 'three'
        ? [...threeSizes]
        : imageSizeNames.filter((name) => Object.values(imageSizes[name]).every(isMultiple)),
    transparentBackground,
    seed: false,
    mask,
  };
}

const everything = (): ImageCapabilities => ({
  sizes: [...imageSizeNames],
  transparentBackground: true,
  seed: true,
  mask: true,
});

interface ImageProvider {
  /** Whether its images are for customers: a server in production refuses to start with another one. */
  forProduction: boolean;
  /** Whether a generative model draws its images, which files then say. */
  isGenerative: boolean;
  /** What a model of it can do. */
  capabilitiesOf(model: string): ImageCapabilities;
}

/** worker/providers/providers.ts says how each is called. Here and not there, because servers refuse what a model cannot do. */
const imageProviders: Readonly<Record<ImageProviderName, ImageProvider>> = {
  openai: { forProduction: true, isGenerative: true, capabilitiesOf: openAiCapabilities },
  local: { forProduction: false, isGenerative: false, capabilitiesOf: everything },
  echo: { forProduction: false, isGenerative: false, capabilitiesOf: everything },
};

/** What the image model of an installation can do. */
export function imageCapabilitiesOf({
  provider,
  model,
}: {
  provider: ImageProviderName;
  model: string;
}): ImageCapabilities {
  return imageProviders[provider].capabilitiesOf(model);
}

/** Whether the images of a provider are for customers. */
export const isForProduction = (provider: ImageProviderName): boolean =>
  imageProviders[provider].forProduction;

/** Whether a generative model draws the images of a provider. */
export const isGenerative = (provider: ImageProviderName): boolean => imageProviders[provider].isGenerative;
