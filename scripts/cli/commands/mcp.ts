import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { readCommandLine } from '#scripts/command-line.ts';
import type { ToolAccount } from '#shared/assistants/account.ts';
import { createToolServer } from '#shared/assistants/tools.ts';
import { batchesOf } from '../batches.ts';
import { answerOf, type Generation, type Packshot } from '../client.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { checkPresets, followImages, requestImages, saveExport, saveImage } from '../images.ts';
import { checkPhotos } from './generate.ts';

/** `packshot mcp`: the API as tools of an assistant, over standard input and output. */
export async function mcp({ words, folder, connect, signal }: CommandContext): Promise<number> {
  readCommandLine(
    'packshot',
    {
      typed: 'packshot mcp',
      about: 'Serves the API to an assistant by the Model Context Protocol, over standard input and output.',
    },
    words,
  );
  const account = accountOf(await connect(), folder);
  const server = serveStdio(() => createToolServer(account));
  await new Promise<void>((done) => {
    // Its calls under way are cut off, and stop no image.
    const close = () => void server.close().then(done);
    signal.addEventListener('abort', close, { once: true });
    process.stdin.once('end', close);
  });
  return exitCodes.done;
}

/** @param folder that paths are relative to */
function accountOf(packshot: Packshot, folder: string): ToolAccount {
  const pathOf = (path: string) => resolve(folder, path.replace(/^~(?=\/|$)/, homedir()));
  return {
    balance: (signal) => answerOf(() => packshot.GET('/api/v1/balance', { signal }), signal),

    async make(request, key, show, signal) {
      let images: readonly Generation[] = await requestImages(packshot, request, key);
      const seen = (newest: readonly Generation[]) => {
        images = newest;
        show(newest);
      };
      return followImages(packshot, images, seen, signal).catch((error) => {
        if (signal.aborted) return images;
        throw error;
      });
    },

    get: (id, signal) =>
      answerOf(() => packshot.GET('/api/v1/generations/{id}', { params: { path: { id } }, signal }), signal),

    async list(limit, signal) {
      const { generations } = await answerOf(
        () => packshot.GET('/api/v1/generations', { params: { query: { limit } }, signal }),
        signal,
      );
      return generations;
    },

    cancel: (id) =>
      answerOf(() =>
        packshot.POST('/api/v1/generations/{id}/cancel', {
          params: { path: { id } },
          body: { useImage: false },
        }),
      ),

    async remake(id) {
      const remade = await answerOf(() =>
        packshot.POST('/api/v1/generations/{id}/remake', { params: { path: { id } }, body: {} }),
      );
      if (!('generations' in remade)) throw new Error('An estimate was not asked for.');
      return remade.generations[0]!;
    },

    batches: batchesOf(packshot),

    files: {
      on: 'disk',
      photosOf: (photos) => checkPhotos(photos, folder),
      async save(id, file) {
        const path = pathOf(file);
        await saveImage(packshot, id, path);
        return path;
      },
      async saveExport(id, preset, file) {
        await checkPresets(packshot, [preset]);
        return saveExport(packshot, id, preset, pathOf(file));
      },
    },
  };
}
