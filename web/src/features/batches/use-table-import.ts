import { useState } from 'react';
import { rememberedFields } from './remembered-columns.ts';
import type { RowCells } from './table-row.ts';
import type { Field } from './tables/known-columns.ts';
import { headerOf, knownFields, parseTable, sayAnything } from './tables/parse-table.ts';
import {
  named,
  nothingChosen,
  type ReadingChoices,
  readSource,
  type SourceTable,
  TableFault,
} from './tables/source-table.ts';

/** A table whose columns the seller is asked about. */
export interface PendingTable {
  source: File | string;
  table: SourceTable;
  /** Ids of the rows that it gave before it is asked about. */
  rows?: ReadonlySet<string>;
}

/** The products of a table. */
export interface ReadTable {
  rows: readonly RowCells[];
  /** Of its file. */
  name: string;
  /** What should be looked at, in words. */
  hints: readonly string[];
}

/** Takes the products of a table. @param asLastTime the table whose columns were remembered */
type OnTable = (table: ReadTable, asLastTime?: PendingTable) => void;

/**
 * Reads tables that were chosen, dropped or pasted, one after the other. One whose columns are all known, or the same as
 * those of an earlier one, is taken as it is; the seller is asked about any other.
 */
export function useTableImport(onTable: OnTable, onFaults: (faults: readonly string[]) => void) {
  const [waiting, setWaiting] = useState<readonly PendingTable[]>([]);

  const add = async (sources: readonly (File | string)[]) => {
    const faults: string[] = [];
    const asked: PendingTable[] = [];
    for (const source of sources) {
      const name = source instanceof File ? source.name : '';
      try {
        const table = await readSource(source, nothingChosen);
        const remembered = isCertain(table) ? rememberedFields(headerOf(table)) : null;
        const fields = remembered ?? (isCertain(table) ? allKnown(table) : null);
        if (fields === null) asked.push({ source, table });
        else onTable({ ...parseTable(table, fields), name }, remembered ? { source, table } : undefined);
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
    const [first] = waiting;
    if (!first) return;
    try {
      const table = await readSource(first.source, choices);
      setWaiting((now) => now.map((each) => (each === first ? { ...first, table } : each)));
    } catch (error) {
      if (!(error instanceof TableFault)) throw error;
      onFaults([named(first.table.name, error.message)]);
    }
  };
  return {
    add,
    /** The table that the seller is asked about; null if there is none. */
    asked: waiting[0] ?? null,
    /** Asks about a table again. */
    ask: (table: PendingTable) => setWaiting((before) => [table, ...before]),
    readAgain,
    /** Goes on to the next one. */
    answer: () => setWaiting(([, ...others]) => others),
  };
}

/** Whether the names of the columns, and the characters, are known. */
const isCertain = (table: SourceTable) => !table.isGuess && table.headerLine !== null;

/** What the columns are if all are known, and say anything; else null. */
function allKnown(table: SourceTable): readonly Field[] | null {
  const known = knownFields(table);
  return sayAnything(known) && known.every((field) => field !== null) ? known : null;
}
