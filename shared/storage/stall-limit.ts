import { Readable } from 'node:stream';

/**
 * Passes a stream on, and ends it with an error when the source stops sending. A reader that is slow, or pauses, does
 * not count: nothing is read ahead of it.
 * @param stallMs the longest pause of the source while the reader waits, in ms
 * @param failure the error for an error of the source; for undefined, of a source that stopped
 */
export function withStallLimit(
  source: Readable,
  stallMs: number,
  failure: (error: Error | undefined) => Error,
): Readable {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Readable({
    read() {
      clearTimeout(timer);
      timer = setTimeout(() => passed.destroy(failure(undefined)), stallMs);
      source.resume();
    },
    destroy(error, done) {
      clearTimeout(timer);
      source.destroy();
      done(error);
    },
  });
  source.pause();
  source.on('data', (chunk) => {
    clearTimeout(timer);
    if (!passed.push(chunk)) source.pause();
  });
  source.once('end', () => {
    clearTimeout(timer);
    passed.push(null);
  });
  source.on('error', (error) => passed.destroy(failure(error)));
  // A connection that is closed before the end.
  source.once('close', () => {
    if (!source.readableEnded && !passed.destroyed) passed.destroy(failure(undefined));
  });
  return passed;
}
