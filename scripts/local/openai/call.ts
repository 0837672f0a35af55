/** Answers a valid edit request, as JSON or as a stream, according to its behaviour. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import {
  completedEvent,
  eventText,
  jsonAnswer,
  openEventStream,
  partialEvent,
  writeEvent,
  writePart,
} from './answer.ts';
import type { Behaviour, ImageServerControl } from './control.ts';
import type { EditRequest } from './edits.ts';
import { ApiError, errorBody } from './errors.ts';
import { blankRenderer, copyRenderer, withoutMask } from './instant.ts';
import type { Renderer, RenderJob } from './renderer.ts';
import { openLateStream, sendWithoutEnd, writeFirstEvent } from './slow-replies.ts';

/** Everything that one call needs. */
export interface Call {
  request: EditRequest;
  behaviour: Behaviour;
  response: ServerResponse;
  /** Headers of every reply, such as `x-request-id`. */
  headers: Record<string, string>;
  renderer: Renderer;
  control: ImageServerControl;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/**
 * Answers the call.
 * @returns the outcome for the control endpoint
 * @throws ApiError before anything was sent; the signal's reason when the client disconnected
 */
export async function answerCall(received: Call): Promise<string> {
  const { behaviour } = received;
  const further = behaviour.kind === 'slow' ? behaviour.headers : undefined;
  const call = { ...received, headers: { ...received.headers, ...further }, renderer: rendererFor(received) };
  const { signal, response, headers } = call;
  switch (behaviour.kind) {
    case 'slow':
      await wait(behaviour.ms, undefined, { signal });
      break;
    case 'hold':
      if (behaviour.after === undefined || !call.request.stream) await call.control.held(signal);
      break;
    case 'stall-before':
      return untilClientLeaves(call);
    case 'endless':
      return sendWithoutEnd(call, behaviour);
    case 'error': {
      const error = new ApiError(behaviour.status, {
        ...behaviour,
        message: behaviour.message ?? `The control endpoint asked for ${behaviour.code ?? behaviour.status}.`,
      });
      sendBody(call, error.status, 'application/json', JSON.stringify(errorBody(error)), behaviour.headers);
      return 'error';
    }
    case 'invalid-response':
      if (behaviour.what === 'html') {
        sendBody(call, 200, 'text/html', '<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1>');
        return 'invalid-response';
      }
      break;
  }
  if (call.request.stream) {
    if (behaviour.kind === 'late') await openLateStream(call, behaviour);
    else openEventStream(response, headers);
    return answerStream(call);
  }
  return answerJson(call);
}

function rendererFor({ behaviour, renderer }: Call): Renderer {
  switch (behaviour.kind) {
    case 'blank':
      return blankRenderer;
    case 'copy':
      return copyRenderer;
    case 'ignore-mask':
      return withoutMask(renderer);
    default:
      return renderer;
  }
}

function renderJob(request: EditRequest, partialImages: number): RenderJob {
  return { ...request, images: request.images.map(({ bytes }) => bytes), variant: 0, partialImages };
}

async function answerJson(call: Call): Promise<string> {
  const { request, behaviour, signal, response } = call;
  if (behaviour.kind === 'stall') {
    response.writeHead(200, { ...call.headers, 'content-type': 'application/json' });
    response.flushHeaders();
    return untilClientLeaves(call);
  }
  const rendered = await call.renderer.render(renderJob(request, 0), () => {}, signal);
  if (behaviour.kind === 'invalid-response') {
    const image = await invalidImage(behaviour.what);
    const body = { ...jsonAnswer(request, image === undefined ? [] : [image]) };
    sendBody(
      call,
      200,
      'application/json',
      behaviour.what === 'not-json' ? '{"created": 17' : JSON.stringify(body),
    );
    return 'invalid-response';
  }
  const body = JSON.stringify(jsonAnswer(request, [rendered]));
  if (behaviour.kind === 'cut' || behaviour.kind === 'truncate' || behaviour.kind === 'stream-error') {
    // With a Content-Length, the client can tell that the body is incomplete.
    response.writeHead(200, {
      ...call.headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    });
    response.write(body.slice(0, body.length / 2), () => response.destroy());
    return behaviour.kind;
  }
  sendBody(call, 200, 'application/json', body);
  return 'completed';
}

async function answerStream(call: Call): Promise<string> {
  const { request, behaviour, signal, response } = call;
  const previewMs = (behaviour.kind === 'slow' && behaviour.previewMs) || 0;
  let partialsSent = 0;
  // Partial images are written in order while rendering continues.
  let written: Promise<void> = Promise.resolve();
  const firstPartialWritten = Promise.withResolvers<void>();
  const onPartial = (image: Buffer): void => {
    const index = partialsSent;
    partialsSent += 1;
    const stalls = behaviour.kind === 'stall' || (behaviour.kind === 'late' && behaviour.thenStall);
    if (stalls && index > 0) return;
    written = written
      .then(() =>
        behaviour.kind === 'late' && index === 0
          ? writeFirstEvent(call, image, behaviour)
          : writeEvent(response, 'image_edit.partial_image', partialEvent(request, image, index), signal),
      )
      .then(firstPartialWritten.resolve)
      .then(() => (previewMs > 0 ? wait(previewMs, undefined, { signal }) : undefined));
    written.catch(() => {});
  };
  const image = await call.renderer.render(renderJob(request, request.partialImages), onPartial, signal);
  await written;
  switch (behaviour.kind) {
    case 'hold':
      if (behaviour.after === 'previews') await call.control.held(signal);
      break;
    case 'stall':
      return untilClientLeaves(call);
    case 'late':
      if (behaviour.thenStall) return untilClientLeaves(call);
      break;
    case 'no-blank-line': {
      const text = eventText('image_edit.completed', completedEvent(request, image, partialsSent));
      await writePart(response, `${text}${behaviour.lineEnds ? '\n' : ''}`, signal);
      response.end();
      return 'no-blank-line';
    }
    case 'cut':
      response.destroy();
      return 'cut';
    case 'truncate':
      response.end();
      return 'truncate';
    case 'stream-error':
      await writeStreamError(call, behaviour);
      return 'stream-error';
    case 'invalid-response':
      await writeInvalidResponse(call, behaviour.what, image, partialsSent);
      return 'invalid-response';
  }
  const usage = behaviour.kind === 'usage' ? behaviour.usage : undefined;
  const completed = completedEvent(request, image, partialsSent, usage);
  await writeEvent(response, 'image_edit.completed', completed, signal);
  response.end();
  return 'completed';
}

/** OpenAI does not document its mid-stream error event; both formats that its SDKs recognise are supported. */
async function writeStreamError(
  call: Call,
  {
    shape,
    code = 'server_error',
    type = 'server_error',
    moderation,
  }: Extract<Behaviour, { kind: 'stream-error' }>,
): Promise<void> {
  const message = 'The server had an error while streaming.';
  const detail = { message, code, param: null, ...(moderation && { moderation_details: moderation }) };
  const nested = { error: { ...detail, type } };
  if (shape === 'line') await writePart(call.response, `${JSON.stringify(nested)}\n`, call.signal);
  else {
    const data = shape === 'nested' ? nested : { type: 'error', ...detail, sequence_number: 0 };
    await writeEvent(call.response, 'error', data, call.signal);
  }
  call.response.end();
}

async function writeInvalidResponse(
  call: Call,
  what: Extract<Behaviour, { kind: 'invalid-response' }>['what'],
  right: Buffer,
  partialsSent: number,
): Promise<void> {
  const image = await invalidImage(what);
  const event: Record<string, unknown> = completedEvent(call.request, image ?? right, partialsSent);
  if (what === 'empty-data') delete event.b64_json;
  const data = what === 'not-json' ? '{"type":"image_edit.comp' : event;
  await writeEvent(call.response, 'image_edit.completed', data, call.signal);
  call.response.end();
}

async function invalidImage(what: string): Promise<Buffer | undefined> {
  if (what === 'not-an-image') return Buffer.from('this is not an image');
  if (what !== 'wrong-size') return undefined;
  return sharp({ create: { width: 64, height: 64, channels: 3, background: '#888888' } })
    .png()
    .toBuffer();
}

async function untilClientLeaves(call: Call): Promise<string> {
  if (!call.signal.aborted) await once(call.signal, 'abort');
  return 'client-left';
}

function sendBody(
  call: Call,
  status: number,
  contentType: string,
  body: string,
  further: Record<string, string> = {},
): void {
  call.response.writeHead(status, {
    ...call.headers,
    'content-type': contentType,
    'content-length': String(Buffer.byteLength(body)),
    ...further,
  });
  call.response.end(body);
}
