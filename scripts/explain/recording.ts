/** The statements that tests executed, and those of the code that none did. */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { parseCommand } from './explain.ts';
import type { Command } from './shapes.ts';

/** @returns one command for each shape in a folder that `tests/support/record-statements.ts` wrote */
export function readRecording(folder: string): Command[] {
  const shapes = new Map<string, Command>();
  for (const file of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, file), 'utf8').trim().split('\n')) {
      const { key } = JSON.parse(line) as { key: string };
      if (!shapes.has(key)) shapes.set(key, parseCommand(line).command as Command);
    }
  }
  return [...shapes.values()];
}

/** A call of a model that searches, or one by the driver; those of arrays get a function. */
const statement =
  /\b(?:find|update)Row\(|\.(find|findOne|findById|findOneAndUpdate|findByIdAndUpdate|findOneAndDelete|updateOne|updateMany|deleteOne|deleteMany|countDocuments|distinct|exists|aggregate|bulkWrite)\((?!(async )?(\w+|\([^()]*\)|\(\{.*?\}\)) =>)/;

/** What the product does not execute while it runs, and what executes statements whose place is its caller. */
export const leftOut = /\/migrations\/|\/(?:lease|collection|dump)\.ts$|\.test\.ts$/;

/** A statement of `shared/data`. */
interface CodeStatement {
  /** `file:line`. */
  site: string;
  /** Its file and the text of the line, which other changes of the file leave as it is. */
  key: string;
}

/** @returns all statements of `shared/data` */
export function statementsInCode(): CodeStatement[] {
  const files = globSync('shared/data/**/*.ts', { cwd: rootFolder }).filter((file) => !leftOut.test(file));
  return files.toSorted().flatMap((file) =>
    readFileSync(join(rootFolder, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        statement.test(line) ? [{ site: `${file}:${index + 1}`, key: `${file} ${line.trim()}` }] : [],
      ),
  );
}
