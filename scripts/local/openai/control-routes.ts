/** The `/control` routes: tests simulate failures and inspect the calls. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { controlSettingsSchema } from './behaviour.ts';
import type { ImageServerControl } from './control.ts';
import { invalidRequest } from './errors.ts';

const waitSchema = z.object({
  active: z.coerce.number().int().min(0).optional(),
  waiting: z.coerce.number().int().min(0).optional(),
  calls: z.coerce.number().int().min(0).optional(),
});

/** Adds the control routes to a server. */
export function addControlRoutes(app: FastifyInstance, control: ImageServerControl): void {
  app.get('/control', async () => control.state());

  app.post('/control', async (request) => {
    const settings = controlSettingsSchema.safeParse(request.body);
    if (!settings.success) throw invalidRequest(z.prettifyError(settings.error), 'body', 'invalid_value');
    control.configure(settings.data);
    return control.state();
  });

  app.post('/control/release', async () => {
    control.release();
    return control.state();
  });

  app.post('/control/reset', async () => {
    control.reset();
    return control.state();
  });

  app.get('/control/wait', async (request, reply) => {
    const condition = waitSchema.safeParse(request.query);
    if (!condition.success) throw invalidRequest(z.prettifyError(condition.error), 'query', 'invalid_value');
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    return control.until(condition.data, left.signal);
  });
}
