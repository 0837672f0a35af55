/** A line of the log of a server or a worker. */
export interface LogLine {
  msg: string;
  traceId?: string;
  generation?: string;
  [field: string]: unknown;
}

/** Collects the log of a program that `startProgram` starts. */
export function collectLog(): { lines: LogLine[]; add(output: string): void } {
  const lines: LogLine[] = [];
  let rest = '';
  return {
    lines,
    add(output) {
      const parts = (rest + output).split('\n');
      rest = parts.pop()!;
      lines.push(...parts.map((part) => JSON.parse(part) as LogLine));
    },
  };
}
