import { useState } from 'react';
import { rememberedFields } from './remembered-columns.ts';
import type { RowCells } from './table-row.ts';
import type { Field } from './tables/known-columns.ts';
import { headerOf, knownFields, parseTable } from './tables/parse-table.ts';
import {
  named,
  nothingChosen,
  type ReadingChoices,
  readSource,
  type SourceTable,
  TableFault,
} from './tables/source-table.ts';

/** A table whose columns the seller is asked about. */
interface PendingTable {
  source: File | string;
  table: SourceTable;
}

/** The products of a table. */
export interface ReadTable {
  rows: readonly RowCells[];
  /** Of its file. */
  name: string;
  /** What should be looked at, in words. */
  hints: readonly string[];
}

/**
 * Reads tables that were chosen, dropped or pasted, one after the other. One whose columns are all known, or the same as
 * those of an earlier one, is taken as it is; the seller is asked about any other.
 */
export function useTableImport(
  onTable: (table: ReadTable) => void,
  onFaults: (faults: readonly string[]) => void,
) {
  const [waiting, setWaiting] = useState<readonly PendingTable[]>([]);

  const add = async (sources: readonly (File | string)[]) => {
    const faults: string[] = [];
    const asked: PendingTable[] = [];
    for (const source of sources) {
      const name = source instanceof File ? source.name : '';
      try {
        const table = await readSource(source, nothingChosen);
        const fields = fieldsWithoutAsking(table);
        if (fields === null) asked.push({ source, table });
        else onTable({ ...parseTable(table, fields), name });
      } catch (error) {
        if (!(error instanceof TableFault)) throw error;
        faults.push(named(name, error.message));
      }
    }
    onFaults(faults);
    setWaiting((before) => [...before, ...asked]);
  };
  /** Reads the table that is asked about again. */
  const readAgain = async (choices: ReadingChoices) => {
    const [first, ...others] = waiting;
    if (!first) return;
    try {
      const table = await readSource(first.source, choices);
      setWaiting([{ source: first.source, table }, ...others]);
    } catch (error) {
      if (!(error instanceof TableFault)) throw error;
      onFaults([named(first.table.name, error.message)]);
    }
  };
  return {
    add,
    /** The table that the seller is asked about; null if there is none. */
    asked: waiting[0] ?? null,
    readAgain,
    /** Goes on to the next one. */
    answer: () => setWaiting(([, ...others]) => others),
  };
}

/** What the columns are, if that is certain; null if the seller has to say. */
function fieldsWithoutAsking(table: SourceTable): readonly Field[] | null {
  if (table.isGuess || table.headerLine === null) return null;
  const header = headerOf(table);
  const remembered = rememberedFields(header);
  if (remembered) return remembered;
  const known = knownFields(table);
  return known.every((field) => field !== null) ? known : null;
}
