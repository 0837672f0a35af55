/** A collector of traces: receives OTLP as JSON over HTTP, as `OTLP_ENDPOINT` names one. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span that was received. */
export interface ReceivedSpan {
  /** `packshot-server` or `packshot-worker`. */
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  attributes: Record<string, unknown>;
}

type Attributes = { key: string; value: Record<string, unknown> }[];

/** The parts of OTLP's JSON that are read. */
interface ReceivedTraces {
  resourceSpans: {
    resource: { attributes: Attributes };
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'service' | 'attributes'> & { attributes: Attributes })[];
    }[];
  }[];
}

const valuesOf = (attributes: Attributes) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Starts a collector on a free port. */
export async function startTraceCollector() {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as ReceivedTraces;
    bodies.push(JSON.stringify(body));
    if (request.method !== 'POST' || request.url !== '/v1/traces') response.statusCode = 404;
    for (const { resource, scopeSpans } of body.resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name']);
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        const { name, traceId, spanId, parentSpanId = '', attributes } = span;
        spans.push({ service, name, traceId, spanId, parentSpanId, attributes: valuesOf(attributes) });
      }
    }
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** Everything that was received, as text. */
    received: () => bodies.join('\n'),
    close: async () => void server.close(),
  };
}
