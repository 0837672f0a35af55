import type { Doc, Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { rethrow } from '../query/expression.ts';
import type { FilterContext } from '../query/nodes.ts';
import { fromPlainObject, toPlain, toPlainObject } from '../query/plain.ts';
import { runStages } from '../query/stages.ts';

const STAGES = ['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith'];

/** Applies an update pipeline to a document. @throws 40324 or InvalidOptions (72) for other stages */
export function runUpdatePipeline(document: Doc, pipeline: Value[], context: FilterContext): Doc {
  for (const stage of pipeline) {
    if (!(stage instanceof Map) || stage.size !== 1) {
      fail(40323, 'A pipeline stage specification object must contain exactly one field.');
    }
    const [name] = stage.keys() as unknown as [string];
    if (!STAGES.includes(name)) fail('InvalidOptions', `${name} is not allowed to be used within an update`);
  }
  try {
    const stages = pipeline.map(toPlain) as Record<string, unknown>[];
    const [result] = runStages([toPlainObject(document)], stages, { variables: context.variables });
    return fromPlainObject(result as Record<string, unknown>, document);
  } catch (error) {
    return rethrow(error);
  }
}
