import { z } from 'zod';
import type { visibleStates } from '#contract/generation-states.ts';
import type { imageStyleNames } from '#contract/image-styles.ts';

/* What the tools of assistants do on an account, by whoever serves them (tools.ts). */

/** An image, as much of it as the tools show. */
export interface ToolImage {
  id: string;
  productName: string;
  prompt: string;
  state: (typeof visibleStates)[number];
  image: { width: number; height: number } | null;
  match: 'high' | 'medium' | 'low' | 'unknown' | null;
  failure: { message: string } | null;
  imageUsed: boolean;
}

/** How many images can be made. */
export const balanceSchema = z.object({
  plan: z.string(),
  left: z.number().describe('images that can be asked for now'),
  onHold: z.number().describe('images being made'),
  leftToday: z.number().nullable(),
  renewsAt: z.string().nullable(),
});

/** A request for images of one product. */
interface ToolRequest {
  /** As `Files.photosOf` gives them. */
  photos: readonly string[];
  prompt: string;
  productName?: string | undefined;
  numImages: number;
  width: number;
  height: number;
  style?: (typeof imageStyleNames)[number] | undefined;
  /** How many images a person agreed to. */
  maxImages: number;
}

/** Products that become images together. */
export interface ToolBatchRequest {
  name: string;
  rows: readonly (Omit<ToolRequest, 'maxImages'> & { sku?: string | undefined })[];
}

/** A batch, as much of it as the tools show. */
export const batchSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** `uploading` until it is started. */
  state: z.string().describe('ended: nothing is left to do'),
  images: z
    .object({
      total: z.number(),
      waiting: z.number(),
      underWay: z.number(),
      succeeded: z.number(),
      failed: z.number(),
      cancelled: z.number(),
    })
    .describe('how many images are where; the total is the sum of the others'),
});
export type ToolBatch = z.infer<typeof batchSchema>;

/** The steps of a batch. Each can be repeated. */
interface ToolBatches {
  /**
   * Makes it without photos.
   * @param key the same one for the same request: then it is the same batch
   * @returns it, and what sends the photos that are missing
   */
  create(
    request: ToolBatchRequest,
    key: string,
  ): Promise<{ batch: ToolBatch; sendPhotos(signal: AbortSignal): Promise<void> }>;
  /** @param maxImages how many images a person agreed to */
  start(id: string, maxImages: number): Promise<ToolBatch>;
  get(id: string, signal: AbortSignal): Promise<ToolBatch>;
}

/** A file that a tool answers with. */
export interface ToolFile {
  bytes: Uint8Array;
  mimeType: string;
}

/** Where photos come from, and where the files of images go. */
export type Files =
  | {
      /** The disk of whoever runs the command. */
      on: 'disk';
      /** @returns the photos as they are sent. @throws when one is not there */
      photosOf(photos: readonly string[]): readonly string[];
      /** Writes the PNG of an image. @returns the path */
      save(id: string, file: string): Promise<string>;
      saveExport(
        id: string,
        preset: string,
        file: string,
      ): Promise<{ file: string; preset: string; failedRules: string[] }>;
    }
  | {
      /** Nowhere: photos are addresses, and files are in the answers. */
      on: 'wire';
      read(id: string): Promise<ToolFile>;
      readExport(id: string, preset: string): Promise<ToolFile & { failedRules: string[] }>;
    };

/** What the tools do on an account. Errors have messages for people. */
export interface ToolAccount {
  balance(signal: AbortSignal): Promise<z.infer<typeof balanceSchema>>;
  /**
   * Asks for images, and follows them until all have ended or the signal is aborted, which stops none of them.
   * @param key the same one for the same request: then they are the same images, and nothing is used
   * @param show called with all of them when one has changed
   * @returns them as they are then
   */
  make(
    request: ToolRequest,
    key: string,
    show: (images: readonly ToolImage[]) => void,
    signal: AbortSignal,
  ): Promise<readonly ToolImage[]>;
  get(id: string, signal: AbortSignal): Promise<ToolImage>;
  list(limit: number, signal: AbortSignal): Promise<readonly ToolImage[]>;
  /** Stops an image, if that is free. */
  cancel(id: string): Promise<ToolImage>;
  /** Makes an image again at no charge. @returns the new one, the same one each time */
  remake(id: string): Promise<ToolImage>;
  batches: ToolBatches;
  files: Files;
}
