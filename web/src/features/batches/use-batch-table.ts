import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { randomId } from '#web/lib/hex.ts';
import { type BatchDraft, readBatchDraft, removeBatchDraft, writeBatchDraft } from './batch-draft.ts';
import { automatic } from './group-photos.ts';
import { regrouped, withPhotos, withTable } from './join-rows.ts';
import type { DroppedPhoto, PhotoFile } from './photo-index.ts';
import type { RowCells, TableRow } from './table-row.ts';

/** The longest time in which a change of the table is not kept yet, in ms. */
const saveDelayMs = 500;

const emptyTable = (): BatchDraft => ({
  name: '',
  projectId: null,
  key: randomId(),
  batchId: null,
  pattern: automatic,
  rows: [],
});

/** A table and its photos, for the next time that the page of a new batch is opened in this window. */
let handedOver: { table: BatchDraft; photos: readonly PhotoFile[]; sellerId: string | null } | null = null;
/** The key of the table that became a batch last. */
let sentKey: string | null = null;

/** Says that a table is a batch now: it is not kept for the page of a new one. */
export function markSent({ key }: BatchDraft): void {
  sentKey = key;
}

/** Lets the page of a new batch begin with a table of a batch that was removed before it was started. */
export function handOverTable(
  table: BatchDraft,
  photos: readonly PhotoFile[],
  sellerId: string | null,
): void {
  handedOver = { table: { ...table, batchId: null, key: randomId() }, photos, sellerId };
}

/**
 * The table of a new batch and the photos that were dropped for it. The table is kept over a reload, both while the seller is on
 * another page of the app.
 * @param sellerId whose table is kept; null keeps none
 */
export function useBatchTable(sellerId: string | null) {
  const [initial] = useState(() => (handedOver?.sellerId === sellerId ? handedOver : null));
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

  /** Another content is another batch. */
  const change = (changes: (table: BatchDraft) => Partial<BatchDraft>) =>
    setTable((now) => now && { ...now, ...changes(now), key: randomId() });
  const setRows = (rows: (table: BatchDraft) => BatchDraft['rows']) => change((now) => ({ rows: rows(now) }));

  /** Photos arrive while others are read: each is added to those that are there then. */
  const photosNow = useRef<readonly DroppedPhoto[]>([]);
  const replacePhotos = (all: readonly DroppedPhoto[]) => {
    photosNow.current = all;
    setPhotos(all);
  };
  /** Adds photos; one with the path of an earlier one replaces it. Where there is no table, they become products. */
  const addPhotos = (files: readonly PhotoFile[]) => {
    if (files.length === 0) return;
    const added = files.map(({ path, file }) => ({ path, file, url: URL.createObjectURL(file) }));
    const paths = new Set(added.map(({ path }) => path));
    const before = photosNow.current;
    for (const photo of before) if (paths.has(photo.path)) URL.revokeObjectURL(photo.url);
    const all = [...before.filter(({ path }) => !paths.has(path)), ...added];
    replacePhotos(all);
    setRows(({ rows, pattern }) => asDraft(withPhotos(rows, all, [...paths], pattern, randomId)));
  };
  const begin = useEffectEvent(() => {
    handedOver = null;
    if (initial) addPhotos(initial.photos);
  });
  useEffect(() => begin(), []);
  const leave = useEffectEvent(() => {
    for (const { url } of photos) URL.revokeObjectURL(url);
    if (sellerId === null || table === null || table.rows.length === 0) return;
    if (table.key === sentKey || table.batchId !== null) return;
    void writeBatchDraft(sellerId, table);
    handedOver = { table, photos, sellerId };
  });
  useEffect(() => () => leave(), []);

  return {
    /** Null while it is read. */
    table,
    photos,
    addPhotos,
    setName: (name: string) => change(() => ({ name })),
    setProject: (projectId: string | null) => change(() => ({ projectId })),
    /** Divides the photos into products anew. */
    setPattern: (pattern: string) =>
      change(({ rows }) => ({ pattern, rows: asDraft(regrouped(rows, pattern, randomId)) })),
    /**
     * Adds the products of a table.
     * @param name of the batch, unless it has one
     * @param without ids of rows that go
     * @returns the ids of the rows that it adds
     */
    addTable: (
      added: readonly RowCells[],
      name: string,
      without?: ReadonlySet<string>,
    ): ReadonlySet<string> => {
      const ids = new Set<string>();
      const newId = () => {
        const id = randomId();
        ids.add(id);
        return id;
      };
      // Those that came while the table was read as well.
      const all = photosNow.current;
      change((now) => {
        const rows = now.rows.filter(({ id }) => !without?.has(id));
        return { name: now.name || name, rows: asDraft(withTable(rows, added, all, now.pattern, newId)) };
      });
      return ids;
    },
    changeRow: (id: string, changes: Partial<RowCells>) =>
      setRows(({ rows }) => rows.map((row) => (row.id === id ? withChanges(row, changes) : row))),
    /** Gives the rows from an index on what one of them says. */
    fillDown: (cells: Partial<RowCells>, from: number) =>
      setRows(({ rows }) => rows.map((row, index) => (index < from ? row : withChanges(row, cells)))),
    /** Gives rows what is written in these cells. @param ids of the rows; null for all */
    fillRows: (ids: ReadonlySet<string> | null, cells: Partial<RowCells>) =>
      setRows(({ rows }) =>
        rows.map((row) => (ids === null || ids.has(row.id) ? withChanges(row, cells) : row)),
      ),
    removeRows: (ids: ReadonlySet<string>) => setRows(({ rows }) => rows.filter(({ id }) => !ids.has(id))),
    /** Puts rows back where they were. @param before all rows before some were removed */
    restoreRows: (before: BatchDraft['rows']) =>
      setRows(({ rows }) => {
        const now = new Map(rows.map((row) => [row.id, row]));
        const old = new Set(before.map(({ id }) => id));
        return [...before.map((row) => now.get(row.id) ?? row), ...rows.filter(({ id }) => !old.has(id))];
      }),
    clear: () => {
      if (sellerId !== null) void removeBatchDraft(sellerId);
      for (const { url } of photos) URL.revokeObjectURL(url);
      replacePhotos([]);
      setTable(emptyTable());
    },
  };
}

const asDraft = (rows: readonly TableRow[]): BatchDraft['rows'] =>
  rows.map((row) => ({ ...row, photos: [...row.photos] }));

const withChanges = (row: BatchDraft['rows'][number], { photos, ...cells }: Partial<RowCells>) => ({
  ...row,
  ...cells,
  ...(photos && { photos: [...photos] }),
});

/** The file of a photo that was dropped or chosen, with its path in the folder. */
export function droppedFile(file: File & { path?: string }): PhotoFile {
  return { path: (file.path ?? (file.webkitRelativePath || file.name)).replace(/^(\.?\/)+/, ''), file };
}

export type BatchTable = ReturnType<typeof useBatchTable>;
