/** An S3 service that fails as a test says; in between it passes requests on to a real one. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';

/**
 * What happens to a request: passed on; answered 503; never answered; answered with a body that stops after 1 MB, or whose
 * connection is closed there.
 */
type Behaviour = 'pass' | 'busy' | 'hang' | 'stall' | 'cut';

export interface FaultyS3 {
  /** Its address, the endpoint of a storage. */
  url: string;
  /** What happens to all requests from now on, or to so many of them. */
  behave(behaviour: Behaviour, times?: number): void;
  /** How many requests it got. */
  requests(): number;
  close(): Promise<void>;
}

const busyBody =
  '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>';

/** Starts the service. @param target address of the real one; without it nothing can be passed on */
export async function startFaultyS3(target?: string): Promise<FaultyS3> {
  let behaviour: Behaviour = 'pass';
  let left = Number.POSITIVE_INFINITY;
  let requests = 0;
  const server = createServer((incoming, reply) => {
    requests += 1;
    left -= 1;
    const now = left >= 0 ? behaviour : 'pass';
    if (now === 'hang') return;
    if (now === 'busy' || target === undefined) {
      incoming.resume();
      reply.writeHead(503, { 'content-type': 'application/xml' }).end(busyBody);
      return;
    }
    passOn(incoming, reply, target, now);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave(next, times = Number.POSITIVE_INFINITY) {
      behaviour = next;
      left = times;
    },
    requests: () => requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function passOn(
  incoming: IncomingMessage,
  reply: ServerResponse,
  target: string,
  behaviour: Behaviour,
): void {
  const { method, url, headers } = incoming;
  // With the host that the request was signed for.
  const outgoing = request(new URL(url!, target), { method: method!, headers }, (answer) => {
    reply.writeHead(answer.statusCode!, answer.headers);
    if (behaviour === 'pass') answer.pipe(reply);
    else answer.pipe(endingEarly(() => behaviour === 'cut' && reply.destroy())).pipe(reply);
  });
  outgoing.on('error', () => reply.destroy());
  incoming.pipe(outgoing);
}

/** Passes on the first megabyte, and nothing after it. */
function endingEarly(ended: () => void): Transform {
  let left = 2 ** 20;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (left > 0) this.push(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) setImmediate(ended);
      done();
    },
    flush() {
      // Never ends.
    },
  });
}
