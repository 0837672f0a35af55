import { fail } from '../errors.ts';
import { type Command, type CommandContext, documentField, numberIn, type Reply } from './context.ts';
import { explainCommand } from './explain.ts';
import { writeMerged, writeOut } from './output.ts';
import { pipelineInput, readStages, runPipeline } from './pipeline.ts';

function aggregate(context: CommandContext): Reply {
  const { command, state } = context;
  if (command.get('explain') === true) return explainCommand(context, false);
  if (!command.has('cursor')) {
    fail('FailedToParse', "The 'cursor' option is required, except for aggregate with the explain argument");
  }
  const input = pipelineInput(context);
  const stages = readStages(command.get('pipeline'));
  const batchSize = documentField(command, 'cursor', 'aggregate').get('batchSize');
  const size = batchSize === undefined ? undefined : numberIn(batchSize, 'cursor.batchSize');
  const namespace = `${context.database}.${input.collection ?? '$cmd.aggregate'}`;
  const last = stages.at(-1);
  const output = (['$out', '$merge'] as const).find((name) => last?.has(name));
  if (output) {
    const results = [...runPipeline(stages.slice(0, -1), input)];
    const write = output === '$out' ? writeOut : writeMerged;
    write(context, last!.get(output)!, results, input.reading);
    return { cursor: { firstBatch: [], id: 0n, ns: namespace } };
  }
  return { cursor: state.cursors.start(namespace, runPipeline(stages, input), { batchSize: size }) };
}

/** The `aggregate` command. */
export const aggregateCommands: Record<string, Command> = {
  aggregate: {
    run: aggregate,
    fields: [
      'pipeline',
      'cursor',
      'explain',
      'allowDiskUse',
      'bypassDocumentValidation',
      'collation',
      'hint',
      'let',
    ],
  },
};
