import { useEffect, useEffectEvent, useState } from 'react';
import { randomId } from '#web/lib/hex.ts';
import { type BatchDraft, readBatchDraft, removeBatchDraft, writeBatchDraft } from './batch-draft.ts';
import type { DroppedPhoto } from './photo-index.ts';
import type { RowCells } from './table-row.ts';

/** The longest time in which a change of the table is not kept yet, in ms. */
const saveDelayMs = 500;

const emptyTable = (): BatchDraft => ({
  name: '',
  projectId: null,
  key: randomId(),
  batchId: null,
  rows: [],
});

/** A table to mend and its photos, for the next time that a new batch is opened in this window. */
let handedOver: { table: BatchDraft; files: readonly File[] } | null = null;

/** Lets the page of a new batch begin with a table of a batch that was removed before it was started. */
export function handOverTable(table: BatchDraft, files: readonly File[]): void {
  handedOver = { table: { ...table, batchId: null, key: randomId() }, files };
}

/**
 * The table of a new batch and the photos that were dropped for it. The table is kept over a reload.
 * @param sellerId whose table is kept; null keeps none
 */
export function useBatchTable(sellerId: string | null) {
  const [initial] = useState(() => handedOver);
  const [table, setTable] = useState<BatchDraft | null>(initial?.table ?? null);
  const [photos, setPhotos] = useState<readonly DroppedPhoto[]>([]);

  useEffect(() => {
    const kept = sellerId === null ? Promise.resolve(null) : readBatchDraft(sellerId);
    void kept.then((draft) => setTable((now) => now ?? draft ?? emptyTable()));
  }, [sellerId]);

  useEffect(() => {
    if (sellerId === null || table === null || table.rows.length === 0) return;
    const timer = setTimeout(() => void writeBatchDraft(sellerId, table), saveDelayMs);
    return () => clearTimeout(timer);
  }, [sellerId, table]);

  /** Adds photos; one with the path of an earlier one replaces it. */
  const addPhotos = (files: readonly File[]) => {
    const added = files.map((file) => ({ path: pathOf(file), file, url: URL.createObjectURL(file) }));
    const paths = new Set(added.map(({ path }) => path));
    setPhotos((before) => {
      for (const photo of before) if (paths.has(photo.path)) URL.revokeObjectURL(photo.url);
      return [...before.filter(({ path }) => !paths.has(path)), ...added];
    });
  };
  const begin = useEffectEvent(() => {
    handedOver = null;
    if (initial) addPhotos(initial.files);
  });
  useEffect(() => begin(), []);
  const revoke = useEffectEvent(() => {
    for (const { url } of photos) URL.revokeObjectURL(url);
  });
  useEffect(() => () => revoke(), []);

  /** Another content is another batch. */
  const change = (changes: (table: BatchDraft) => Partial<BatchDraft>) =>
    setTable((now) => now && { ...now, ...changes(now), key: randomId() });
  return {
    /** Null while it is read. */
    table,
    photos,
    addPhotos,
    setName: (name: string) => change(() => ({ name })),
    setProject: (projectId: string | null) => change(() => ({ projectId })),
    /** Adds rows at the end. @param name of the batch, unless it has one */
    addRows: (rows: readonly RowCells[], name: string) =>
      change((now) => ({
        name: now.name || name,
        rows: [...now.rows, ...rows.map((row) => ({ ...row, photos: [...row.photos], id: randomId() }))],
      })),
    changeRow: (id: string, changes: Partial<RowCells>) =>
      change(({ rows }) => ({ rows: rows.map((row) => (row.id === id ? withChanges(row, changes) : row)) })),
    removeRows: (ids: ReadonlySet<string>) =>
      change(({ rows }) => ({ rows: rows.filter(({ id }) => !ids.has(id)) })),
    clear: () => {
      if (sellerId !== null) void removeBatchDraft(sellerId);
      setTable(emptyTable());
    },
  };
}

const withChanges = (row: BatchDraft['rows'][number], { photos, ...cells }: Partial<RowCells>) => ({
  ...row,
  ...cells,
  ...(photos && { photos: [...photos] }),
});

/** The path of a file in the folder that was dropped or chosen, or its name. */
function pathOf(file: File & { path?: string }): string {
  return (file.path ?? (file.webkitRelativePath || file.name)).replace(/^(\.?\/)+/, '');
}

export type BatchTable = ReturnType<typeof useBatchTable>;
