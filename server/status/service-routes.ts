import { paths, serviceSchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';

/** Public facts about this installation, for everybody, signed in or not. */
export async function serviceRoutes(app: App, { context }: { context: ServerContext }) {
  const { tryOut, welcomeImages: freeImages } = context.config;

  app.get(
    paths.service,
    { schema: { summary: 'Facts about this installation', response: { 200: serviceSchema } } },
    async () => ({ tryOut, freeImages }),
  );
}
