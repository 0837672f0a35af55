import { paths, publicInfoSchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { findBanner } from '#shared/data/operator/banners.ts';
import { presentBanner } from '#shared/views/banner.ts';

/** Public facts about this installation, for everybody, signed in or not. */
export async function serviceRoutes(app: App, { context }: { context: ServerContext }) {
  const { config, db } = context;
  const { tryOut, freeImages, imagePacks } = config;

  app.get(
    paths.service,
    {
      config: { openToOtherSites: 'public facts, which cost nothing' },
      schema: {
        operationId: 'getService',
        tags: ['service'],
        summary: 'Facts about this installation',
        response: { 200: publicInfoSchema },
      },
    },
    async (request) => {
      // Without MongoDB the other facts are still true.
      const banner = await findBanner(db).catch((error) => {
        request.log.warn({ err: error }, 'the banner could not be read');
        return null;
      });
      return { tryOut, freeImages, imagePacks: [...imagePacks], banner: presentBanner(banner) };
    },
  );
}
