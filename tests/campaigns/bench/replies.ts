/**
 * The cost of serialising a reply by its zod schema, which drops fields that the schema does not have: a full page of
 * the list of generations, with the schema and without. Needs no stores.
 */
import { serializerCompiler } from 'fastify-type-provider-zod';
import { type GenerationView, generationListSchema, limits, paths } from '#contract';
import { samplePrompt } from '#tests/support/sample-photo.ts';
import { sampleGeneration } from '#tests/support/samples.ts';
import { median } from '#tests/support/statistics.ts';

/** Measures both alternately, `rounds` times, and prints the medians. */
export function benchReplies(rounds: number): void {
  const generations = Array.from({ length: limits.pageSizeMost }, viewOf);
  // Its fields in the order of the schema, in which they are serialised.
  const reply = generationListSchema.parse({ generations, nextCursor: null });
  const bySchema = serializerCompiler({
    schema: generationListSchema,
    method: 'GET',
    url: paths.generations,
    httpStatus: '200',
  });
  const plain = (value: unknown) => JSON.stringify(value);
  if (bySchema(reply) !== plain(reply)) throw new Error('the schema changed a valid reply');
  const timeOf = (serialise: (value: unknown) => string) => {
    const began = performance.now();
    serialise(reply);
    return performance.now() - began;
  };
  for (let warmUp = 0; warmUp < rounds; warmUp += 1) [timeOf(bySchema), timeOf(plain)];
  const times = Array.from({ length: rounds }, () => [timeOf(bySchema), timeOf(plain)] as const);
  const withSchema = median(times.map(([time]) => time));
  const without = median(times.map(([, time]) => time));
  console.log(
    `Serialising ${limits.pageSizeMost} generations (${bytesOf(reply)} KB), ${rounds} rounds, medians`,
  );
  console.log(`    by schema ${precise(withSchema)}   JSON.stringify alone ${precise(without)}`);
}

const bytesOf = (value: unknown) => Math.round(Buffer.byteLength(JSON.stringify(value)) / 1_024);

const precise = (value: number) => `${value.toFixed(2)} ms`;

/** A succeeded generation as in the list, with two photos and a prompt of typical length. */
function viewOf(_: unknown, index: number): GenerationView {
  const id = index.toString(16).padStart(24, '0');
  const link = (name: string) => ({
    url: paths.generationImage(id, name),
    thumbnailUrl: paths.generationImage(id, `${name}-thumbnail`),
  });
  const at = new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
  return sampleGeneration({
    id,
    state: 'succeeded',
    revision: 7,
    prompt: samplePrompt,
    composedPrompt: samplePrompt,
    productName: `Product ${index}`,
    photos: ['photo-0', 'photo-1'].map((name) => ({ ...link(name), warnings: [] })),
    image: {
      ...link('image'),
      downloadUrl: `${paths.generationImage(id, 'image')}?download`,
      width: limits.outputWidth,
      height: limits.outputHeight,
    },
    rootId: 'one',
    imageUsed: true,
    createdAt: at,
    startedAt: at,
    endedAt: at,
  });
}
