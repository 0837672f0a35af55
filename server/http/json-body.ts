import { AppError } from '#shared/platform/errors.ts';
import type { App } from './app-type.ts';

/** Values in the body of a route that does not say how many it takes. Those that browsers send have some hundred. */
const usualMost = 5_000;

/** How many values the JSON of a route may have, and what is answered to more; BODY_TOO_LARGE unless it says so. */
interface JsonValues {
  most: number;
  tooMany?: () => AppError;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    jsonValues?: JsonValues;
  }
}

const quote = 0x22;
const backslash = 0x5c;
/** Whether a byte begins or separates values in JSON: `,`, `[` or `{`. */
const isStructure = Uint8Array.from({ length: 256 }, (_, byte) =>
  ',[{'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

/**
 * Parses bodies of JSON. Their values are counted before: a large text takes no time to parse and validate, but eight
 * megabytes of brackets take seconds.
 */
export function parseJsonBodies(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const { most, tooMany }: JsonValues = request.routeOptions.config.jsonValues ?? { most: usualMost };
    if (hasMoreValues(body, most)) return done(tooMany?.() ?? new AppError('BODY_TOO_LARGE'));
    void parseJson(request, body.toString(), done);
  });
}

/** Counts what begins or separates values, outside of strings. */
function hasMoreValues(json: Buffer, most: number): boolean {
  let found = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]!;
    if (byte === quote) isText = !isText;
    else if (isText && byte === backslash) at += 1;
    else if (!isText) found += isStructure[byte]!;
    if (found > most) return true;
  }
  return false;
}
