/** Making images with the API, following them, and writing their files. */
import { openAsBlob } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { basename, join, parse } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hasEnded } from '#contract/generation-states.ts';
import { v1FailedRulesHeader } from '#contract/v1-exports.ts';
import { answerOf, type Generation, type Packshot, PackshotError } from './client.ts';
import { CommandError } from './exit-codes.ts';

/** @returns how many images can be asked for today @throws PackshotError; the signal's reason when it is aborted */
export async function imagesLeft(packshot: Packshot, signal?: AbortSignal): Promise<number> {
  const abort = { signal: signal ?? null };
  const { left, leftToday } = await answerOf(() => packshot.GET('/api/v1/balance', abort), signal);
  return Math.min(left, leftToday ?? left);
}

/** A request for images. Undefined fields are the API's defaults. */
export interface ImageRequest {
  /** Paths of files, or addresses that begin with `https://`; not both. */
  photos: readonly string[];
  prompt: string;
  productName?: string | undefined;
  sku?: string | undefined;
  projectId?: string | undefined;
  numImages?: number | undefined;
  width?: number | undefined;
  height?: number | undefined;
  style?: string | undefined;
  seedValue?: number | undefined;
  /** How many images a person agreed to: past it nothing is made. */
  maxImages: number;
}

export const isAddress = (photo: string) => /^https:\/\//i.test(photo);

/**
 * Asks for images. Sent again where there is no answer, with the same key, so that nothing is made twice. Nothing stops it: only
 * its reply says which images are to be cancelled.
 * @param idempotencyKey the same one and the same request: the same images, and nothing is used
 * @returns a generation for each image
 * @throws PackshotError
 */
export async function requestImages(
  packshot: Packshot,
  request: ImageRequest,
  idempotencyKey: string,
): Promise<Generation[]> {
  const { photos, ...given } = request;
  const fields = {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(given.seedValue !== undefined && { useSeed: true }),
  };
  const body = photos.some(isAddress)
    ? { photos: photos.map((url) => ({ url })), ...fields }
    : await formOf(photos, fields);
  const created = await answerOf(() =>
    packshot.POST('/api/v1/generations', {
      headers: { 'idempotency-key': idempotencyKey },
      ...bodyOf(body),
    }),
  );
  if (!('generations' in created)) throw new Error('An estimate was not asked for.');
  return created.generations;
}

/** A form, or JSON, as the body of a request. */
export const bodyOf = (body: object) => ({
  // The type of a form's body has no files.
  body: body as never,
  bodySerializer: (given: object) => (given instanceof FormData ? given : JSON.stringify(given)),
});

/** A form with photos. A blob that is backed by a file is read while it is sent, not held in memory. */
export async function formOf(
  photos: readonly string[],
  fields: Record<string, unknown> = {},
): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  for (const photo of photos) form.append('photos', await openAsBlob(photo), basename(photo));
  return form;
}

/** How often images are asked for, in ms. */
export const pollMs = 1_000;
/** How many images one request asks for. */
const pageSize = 100;

/**
 * Follows images until all have ended.
 * @param show called with all of them when one has changed
 * @returns them, in the same order
 * @throws PackshotError; the signal's reason when it is aborted
 */
export async function followImages(
  packshot: Packshot,
  first: readonly Generation[],
  show: (images: readonly Generation[]) => void,
  signal?: AbortSignal,
): Promise<Generation[]> {
  const images = [...first];
  show(images);
  while (images.some(({ state }) => !hasEnded(state))) {
    await wait(pollMs, undefined, { signal });
    const open = images.filter(({ state }) => !hasEnded(state)).map(({ id }) => id);
    const newest = await readNewest(packshot, open, signal);
    for (const [index, { id }] of images.entries()) images[index] = newest.get(id) ?? images[index]!;
    show(images);
  }
  return images;
}

/**
 * Reads images: by pages of the newest ones, so that following many takes few requests, and one by one what is not among them.
 * @param ids of images that were asked for not long ago
 */
async function readNewest(
  packshot: Packshot,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Map<string, Generation>> {
  const abort = { signal: signal ?? null };
  const missing = new Set(ids);
  const found = new Map<string, Generation>();
  let cursor: string | undefined;
  for (let pages = Math.ceil(ids.length / pageSize) + 1; pages > 0 && missing.size > 0; pages -= 1) {
    const query = { limit: pageSize, ...(cursor !== undefined && { cursor }) };
    const page = await answerOf(
      () => packshot.GET('/api/v1/generations', { params: { query }, ...abort }),
      signal,
    );
    for (const image of page.generations) if (missing.delete(image.id)) found.set(image.id, image);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  for (const id of missing) {
    const path = { params: { path: { id } }, ...abort };
    found.set(id, await answerOf(() => packshot.GET('/api/v1/generations/{id}', path), signal));
  }
  return found;
}

/** How many images are stopped at a time. */
const stopped = 4;

/** Stops images that have not ended, as long as that is free: the newest first, which have cost nothing yet. @returns them as they are then */
export async function cancelImages(packshot: Packshot, images: readonly Generation[]): Promise<Generation[]> {
  const after = [...images];
  const left = [...images.keys()];
  const stop = async () => {
    for (let index = left.pop(); index !== undefined; index = left.pop()) {
      const { id, state } = images[index]!;
      if (hasEnded(state)) continue;
      const path = { params: { path: { id } } };
      try {
        after[index] = await answerOf(() =>
          packshot.POST('/api/v1/generations/{id}/cancel', { ...path, body: { useImage: false } }),
        );
      } catch {
        // It has ended, or goes on.
        after[index] = await answerOf(() => packshot.GET('/api/v1/generations/{id}', path)).catch(
          () => images[index]!,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: stopped }, stop));
  return after;
}

/** Writes the file of a finished image. @throws PackshotError */
export async function saveImage(packshot: Packshot, id: string, file: string): Promise<void> {
  const bytes = await answerOf(() =>
    packshot.GET('/api/v1/generations/{id}/image', { params: { path: { id } }, parseAs: 'arrayBuffer' }),
  );
  await writeWhole(file, bytes as ArrayBuffer);
}

/** A file for a marketplace. */
export interface ExportedFile {
  file: string;
  preset: string;
  /** The names of the rules that it does not obey. */
  failedRules: string[];
}

/**
 * Writes a finished image as a preset wants it.
 * @param image its own file: the preset and another ending are added to its name
 * @throws PackshotError
 */
export async function saveExport(
  packshot: Packshot,
  id: string,
  preset: string,
  image: string,
): Promise<ExportedFile> {
  let headers = new Headers();
  const bytes = await answerOf(async () => {
    const outcome = await packshot.GET('/api/v1/generations/{id}/exports/{preset}', {
      params: { path: { id, preset } },
      parseAs: 'arrayBuffer',
    });
    headers = outcome.response.headers;
    return outcome;
  });
  const { dir, name } = parse(image);
  const format = headers.get('content-type')?.replace(/^image\//, '') ?? '';
  const file = join(dir, `${name}-${preset}.${format === 'jpeg' ? 'jpg' : format}`);
  await writeWhole(file, bytes as ArrayBuffer);
  const failed = headers.get(v1FailedRulesHeader) ?? '';
  return { file, preset, failedRules: [...failed.matchAll(/"([^"]*)"/g)].map(([, rule]) => rule!) };
}

/** What is there under that name is replaced when the new file is whole. */
async function writeWhole(file: string, bytes: ArrayBuffer): Promise<void> {
  await writeFile(`${file}.part`, Buffer.from(bytes));
  await rename(`${file}.part`, file);
}

/** Before anything is made. @throws CommandError if there is no such preset */
export async function checkPresets(packshot: Packshot, wanted: readonly string[]): Promise<void> {
  if (wanted.length === 0) return;
  const { presets } = await answerOf(() => packshot.GET('/api/v1/export-presets'));
  const ids = presets.map(({ id }) => id);
  const unknown = wanted.find((preset) => !ids.includes(preset));
  if (unknown !== undefined) throw new CommandError(`there is no preset ${unknown}: ${ids.join(', ')}`);
}

/** Why an image is not there. */
export const reasonOf = ({ failure, state }: Generation): string => failure?.message ?? `It was ${state}.`;

/** Whether the key, the plan or a limit refused a request, so that others like it would be refused too. */
export const isRefusedForAll = (error: unknown): error is PackshotError =>
  error instanceof PackshotError && [0, 401, 402, 403, 429, 503].includes(error.status);
