/** `/v1/events`, `/v1/webhook_endpoints`, `/v1/test_helpers/test_clocks`. */
import { z } from 'zod';
import { moveClock, targetOf } from '../billing/timeline.ts';
import { newId } from '../core/ids.ts';
import { createEndpoint, deleteEndpoint, updateEndpoint, withoutSecret } from '../webhooks/endpoints.ts';
import { deliveriesOfEvent } from '../webhooks/queue.ts';
import type { Api } from './api.ts';
import { flag, integer, list, metadata, newMetadata, nonEmptyText, text } from './fields.ts';

/** Less than the SDK's own timeout of 80 s. */
const webhookTimeoutMs = 60_000;

/** Adds the calls for events and webhook endpoints. */
export function addEventRoutes(api: Api): void {
  const { core } = api;

  api.retrieve('/v1/events/:id', (id) => core.getOrThrow('event', id));
  api.list(
    '/v1/events',
    z.strictObject({
      type: nonEmptyText.optional(),
      types: list(nonEmptyText).optional(),
      delivery_success: flag.optional(),
    }),
    ({ type, types, delivery_success: success }) => {
      const wanted = type === undefined ? types : [type];
      const exact = wanted?.every((each) => !each.endsWith('*'));
      return core.store.list('event', exact ? { owners: wanted } : {}).filter((event) => {
        if (wanted !== undefined && !wanted.some((each) => matches(event.type, each))) return false;
        if (success === undefined) return true;
        const taken = deliveriesOfEvent(core.store, event.id).every(({ state }) => state === 'delivered');
        return taken === success;
      });
    },
  );

  const fields = {
    description: text.optional(),
    disabled: flag.optional(),
  };
  api.post(
    '/v1/webhook_endpoints',
    z.strictObject({
      url: nonEmptyText,
      enabled_events: z.array(nonEmptyText).min(1),
      description: text.optional(),
      metadata: newMetadata.optional(),
      api_version: nonEmptyText.optional(),
      connect: z.literal('false').optional(),
    }),
    (input) => createEndpoint(core, input),
  );
  api.retrieve('/v1/webhook_endpoints/:id', (id) => withoutSecret(core.getOrThrow('webhook_endpoint', id)));
  api.post(
    '/v1/webhook_endpoints/:id',
    z.strictObject({
      ...fields,
      url: nonEmptyText.optional(),
      enabled_events: z.array(nonEmptyText).min(1).optional(),
      metadata: metadata.optional(),
    }),
    (input, { id }) => withoutSecret(updateEndpoint(core, id as string, input)),
  );
  api.delete('/v1/webhook_endpoints/:id', z.strictObject({}), (_input, { id }) =>
    deleteEndpoint(core, id as string),
  );
  api.list('/v1/webhook_endpoints', z.strictObject({}), () =>
    core.store.list('webhook_endpoint').map(withoutSecret),
  );
}

/** `invoice.*` matches every invoice event. */
function matches(type: string, wanted: string): boolean {
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}

/**
 * Adds test clocks. At Stripe each test clock has its own time. Here every test clock stands for the server's single
 * clock, which only moves forward. `advance` replies when all due work is done, so `status` is always `ready`.
 */
export function addTestClockRoutes(api: Api): void {
  const { core } = api;
  const path = '/v1/test_helpers/test_clocks';

  api.slow(path, z.strictObject({ frozen_time: integer, name: text.optional() }), async (input) => {
    if (input.frozen_time > core.now()) {
      moveClock(core, input.frozen_time);
      await api.dispatcher.settled(webhookTimeoutMs);
    }
    return core.create({
      id: newId('clock'),
      object: 'test_helpers.test_clock',
      created: core.now(),
      name: input.name ?? null,
    });
  });
  api.retrieve(`${path}/:id`, (id) => core.getOrThrow('test_helpers.test_clock', id));
  api.list(path, z.strictObject({}), () => core.store.list('test_helpers.test_clock'));
  api.delete(`${path}/:id`, z.strictObject({}), (_input, { id }) => {
    core.getOrThrow('test_helpers.test_clock', id as string);
    core.store.remove(id as string);
    return { id: id as string, object: 'test_helpers.test_clock', deleted: true };
  });
  api.slow(`${path}/:id/advance`, z.strictObject({ frozen_time: integer }), async (input, { id }) => {
    const clock = core.getOrThrow('test_helpers.test_clock', id as string);
    moveClock(core, targetOf(core.now(), { to: input.frozen_time }));
    await api.dispatcher.settled(webhookTimeoutMs);
    return clock;
  });
}
