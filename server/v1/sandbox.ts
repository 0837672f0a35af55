import type { FastifyServerOptions, RouteOptions } from 'fastify';
import { isTestKey, keyIn } from '#server/auth/key-format.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { createSlots, type SlotLimits } from '#server/uploads/slots.ts';
import { sandboxOf } from '#shared/data/test-seller.ts';
import { sandboxConfig } from '#shared/platform/sandbox-config.ts';
import type { EventStreams } from './event-streams.ts';
import { v1Routes } from './routes.ts';
import type { EndWaits } from './wait.ts';

/*
 * Version 1 of the API once more, for test keys: the same routes with the context of the sandbox
 * (docs/decisions/0139-a-sandbox-beside-what-is-real.md). The key of a request decides which of the two it reaches, before
 * anything else is done, so no route has to ask for the mode of its caller.
 */

type Constraints = NonNullable<NonNullable<FastifyServerOptions['routerOptions']>['constraints']>;
type Route = Parameters<ReturnType<Constraints[string]['storage']>['set']>[1];

/** Chooses the route by the key of a request. */
export const routesByKey: Constraints = {
  key: {
    name: 'key',
    storage() {
      const routes = new Map<string, Route>();
      return {
        get: (mode) => routes.get(mode) ?? null,
        set: (mode, route) => void routes.set(mode, route),
      };
    },
    validate() {},
    deriveConstraint: ({ headers }) => (isTestKey(keyIn(headers.authorization)) ? 'test' : 'live'),
  },
};

/** The context of the sandbox. */
export const sandboxContext = (context: ServerContext): ServerContext => ({
  ...context,
  db: sandboxOf(context.db),
  queue: context.testQueue,
  config: sandboxConfig(context.config),
});

/** What a server does of one kind for test keys, in parts of what it does for others: these never wait for tests. */
const partOf = 4;

const fewer = ({ total, waitingTotal, ...limits }: SlotLimits): SlotLimits => ({
  ...limits,
  total: Math.max(1, Math.floor(total / partOf)),
  waitingTotal: Math.floor(waitingTotal / partOf),
});

interface SandboxParts {
  /** That of the sandbox. */
  context: ServerContext;
  waits: EndWaits;
  streams: EventStreams;
  /** The slots of this server for others. */
  slots: Record<'uploads' | 'photos' | 'downloads', SlotLimits>;
}

/** The routes for test keys, which are not in the document: there they would be the same. */
export async function sandboxRoutes(
  app: App,
  { context, waits, streams, slots }: SandboxParts,
): Promise<void> {
  app.addHook('onRoute', (route: RouteOptions) => {
    route.constraints = { ...route.constraints, key: 'test' };
    route.schema = { ...route.schema, hide: true };
  });
  await v1Routes(app, {
    context,
    waits,
    streams,
    slots: createSlots(fewer(slots.uploads), 'TOO_MANY_UPLOADS'),
    photoSlots: createSlots(fewer(slots.photos), 'TOO_MANY_UPLOADS'),
    downloads: createSlots(fewer(slots.downloads), 'TOO_MANY_DOWNLOADS'),
  });
}
