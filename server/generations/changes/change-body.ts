import { limits, tooManyPoints } from '#contract';
import type { App } from '#server/http/app-type.ts';
import { AppError } from '#shared/platform/errors.ts';

/** Whether a byte begins or separates values in JSON: `,`, `[` or `{`. */
const isStructure = Uint8Array.from({ length: 256 }, (_, byte) =>
  ',[{'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

/** Of a request with the most marks, each a dot, and an instruction of commas. */
const structureMost = limits.markPoints * 8 + limits.promptCharacters;

/**
 * Parses the JSON of changes. A mask makes their bodies large, but it is one string: millions of values in its place would
 * take a second to parse and validate, and are refused before.
 */
export function parseChangeBodies(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (isTooDense(body)) {
      return done(new AppError('VALIDATION', { message: tooManyPoints, field: 'marks' }));
    }
    void parseJson(request, body.toString(), done);
  });
}

function isTooDense(body: Buffer): boolean {
  let found = 0;
  for (let place = 0; place < body.length; place += 1) {
    found += isStructure[body[place]!]!;
    if (found > structureMost) return true;
  }
  return false;
}
