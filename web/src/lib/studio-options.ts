import { z } from 'zod';
import { defaultOptions, imageOptionsSchema, limits } from '#contract';

const studioOptionsSchema = z.object({
  /** Images to make. */
  numImages: z.number().int().min(1).max(limits.imagesPerRequest),
  ...imageOptionsSchema.shape,
  /** Whether to send `seedValue`. */
  useSeed: z.boolean(),
  seedValue: z.number().int().min(0).max(limits.seed),
  /** The project that new images are added to; null for the default project. */
  projectId: z.string().nullable().default(null),
});
/** The options of the studio's form. */
export type StudioOptions = z.infer<typeof studioOptionsSchema>;

export const defaultStudioOptions: StudioOptions = {
  numImages: 1,
  ...defaultOptions,
  useSeed: false,
  seedValue: 0,
  projectId: null,
};

const storedOptionsSchema = z.object({ sellerId: z.string(), options: studioOptionsSchema });
const storageKey = 'packshot-studio-options';

/** The options that a seller used last in this browser; null if there are none. */
export function findStudioOptions(sellerId: string): StudioOptions | null {
  try {
    const stored = storedOptionsSchema.safeParse(JSON.parse(localStorage.getItem(storageKey) ?? 'null'));
    return stored.success && stored.data.sellerId === sellerId ? stored.data.options : null;
  } catch {
    return null;
  }
}

/** Keeps the options for the next visit. */
export function saveStudioOptions(sellerId: string, options: StudioOptions): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ sellerId, options }));
  } catch {
    // Storage is blocked or full.
  }
}

/** The state of a link to the studio that adds images to a project. */
export type ProjectLinkState = Pick<StudioOptions, 'projectId'>;

/** The project that a link to the studio names. @param state of the router's location */
export function chosenProject(state: unknown): Partial<ProjectLinkState> {
  const parsed = z.object({ projectId: z.string().nullable() }).safeParse(state);
  return parsed.success ? parsed.data : {};
}

/** Removes the options of any seller. */
export function removeStudioOptions(): void {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Nothing was stored if storage is blocked.
  }
}
