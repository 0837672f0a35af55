/** What `npm run explain` prints. */

import { acceptedStatements, acceptedUnseen } from './accepted.ts';
import type { Plan } from './explain.ts';
import { problemsOf, textOf } from './judge.ts';
import { statementsInCode } from './recording.ts';
import type { Command } from './shapes.ts';

/** Collects the plans of statements. */
export interface Report {
  add(command: Command, plan: Plan): void;
  /** @returns a line for each statement, then one for each problem; whether there is a problem */
  end(): { lines: string[]; failed: boolean };
}

export function createReport(): Report {
  const rows: { site: string; line: string }[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  const used = new Set<string>();
  return {
    add(command, plan) {
      const site = String(command.comment);
      const text = textOf(command);
      const key = `${site.split(':')[0]} ${text}`;
      seen.add(site);
      const index = plan.indexes.map(({ name }) => name).join(' + ') || plan.stages.join(' < ');
      const found = problemsOf(command, plan);
      const reason = found.length > 0 ? acceptedStatements[key] : undefined;
      if (reason !== undefined) used.add(key);
      else problems.push(...found.map((problem) => `${site} ${text}: ${problem}`));
      const read = `${plan.keys}/${plan.documents}/${plan.returned}`;
      const note =
        found.length > 0 ? ` (${found.join(', ')}${reason === undefined ? '' : `: ${reason}`})` : '';
      rows.push({ site, line: `${site} ${text}: ${index}, ${read}${note}` });
    },
    end() {
      for (const { site, key } of statementsInCode()) {
        if (seen.has(site)) continue;
        if (key in acceptedUnseen) used.add(key);
        else problems.push(`${site}: no test executes this statement`);
      }
      for (const key of [...Object.keys(acceptedStatements), ...Object.keys(acceptedUnseen)]) {
        if (!used.has(key)) problems.push(`accepted.ts: nothing needs "${key}" any more`);
      }
      return {
        lines: [
          'statement: index, keys examined/documents examined/documents found on invented data',
          ...rows
            .toSorted((a, b) => a.site.localeCompare(b.site, 'en', { numeric: true }))
            .map(({ line }) => line),
          ...problems.map((problem) => `explain: ${problem}`),
          `explain: ${rows.length} statements, ${problems.length} problems`,
        ],
        failed: problems.length > 0,
      };
    },
  };
}
