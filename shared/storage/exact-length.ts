import { Transform } from 'node:stream';

/**
 * Passes on a stream of exactly `bytes` bytes. The last part is passed on only at the end, so that a receiver who
 * counts never has all of a stream that goes on.
 * @param failure the error for a stream of another length
 */
export function exactLength(bytes: number, failure: () => Error): Transform {
  let received = 0;
  let held: Buffer | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > bytes) return done(failure());
      const before = held;
      held = chunk;
      done(null, before);
    },
    flush(done) {
      if (received === bytes) done(null, held);
      else done(failure());
    },
  });
}
