/** The routes of the pages, with headers that make hostile mails harmless. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { readAttachments } from './mail.ts';
import { pageStyle, watchScript } from './page-layout.ts';
import { framedHtml, frameRights, listPage, mailPage, mailViews, missingPage } from './pages.ts';
import type { MailStore } from './store.ts';

const pagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; " +
  "frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Repeats the sandbox of the iframe, for when this URL is opened directly. */
const framePolicy =
  `sandbox ${frameRights}; default-src 'none'; style-src 'unsafe-inline'; img-src data:; ` +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

const mailSchema = z.object({ id: z.coerce.number().int().min(1) });
const attachmentSchema = mailSchema.extend({ index: z.coerce.number().int().min(0) });
const viewSchema = z.object({ view: z.enum(mailViews).optional().catch(undefined) });

/** Adds the pages to a server. */
export function addPageRoutes(app: FastifyInstance, store: MailStore): void {
  app.get('/page.css', async (_request, reply) => reply.type('text/css').send(pageStyle));
  app.get('/watch.js', async (_request, reply) => reply.type('text/javascript').send(watchScript));

  app.get('/', async (_request, reply) => sendPage(reply, listPage(store.find(), store.newestId())));

  app.get('/mails/:id', async (request, reply) => {
    const params = mailSchema.safeParse(request.params);
    const mail = params.success ? store.get(params.data.id) : undefined;
    if (mail === undefined) return sendPage(reply.code(404), missingPage());
    const view = viewSchema.parse(request.query).view ?? (mail.html === '' ? 'text' : 'html');
    const files = await readAttachments(store.source(mail.id)!);
    return sendPage(reply, mailPage(mail, view, files));
  });

  app.get('/mails/:id/html', async (request, reply) => {
    const params = mailSchema.safeParse(request.params);
    const mail = params.success ? store.get(params.data.id) : undefined;
    if (mail === undefined) return sendPage(reply.code(404), missingPage());
    return sendHtml(reply, framedHtml(mail.html), framePolicy);
  });

  app.get('/mails/:id/attachments/:index', async (request, reply) => {
    const params = attachmentSchema.safeParse(request.params);
    const source = params.success ? store.source(params.data.id) : undefined;
    const file = source && (await readAttachments(source))[params.data!.index];
    if (file === undefined) return sendPage(reply.code(404), missingPage());
    // Always a download: whatever the mail declares, it is not opened here.
    return reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.fileName)}`)
      .header('x-content-type-options', 'nosniff')
      .send(file.content);
  });
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return sendHtml(reply, html, pagePolicy);
}

function sendHtml(reply: FastifyReply, html: string, policy: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html);
}
