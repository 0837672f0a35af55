import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { randomId } from '#web/lib/hex.ts';
import { type BatchDraft, readBatchDraft, removeBatchDraft, writeBatchDraft } from './batch-draft.ts';
import { automatic } from './group-photos.ts';
import { regrouped, withPhotos, withTable } from './join-rows.ts';
import type { DroppedPhoto, PhotoFile } from './photo-index.ts';
import type { Column, RowCells, TableRow } from './table-row.ts';

/** The longest time in which a change of the table is not kept yet, in ms. */
const saveDelayMs = 100;

const emptyTable = (): BatchDraft => ({
  name: '',
  projectId: null,
  key: randomId(),
  batchId: null,
  pattern: automatic,
  rows: [],
});

/** A table and its photos, for the next time that the page of a new batch is opened in this window. */
interface HandedOver {
  table: BatchDraft;
  photos: readonly PhotoFile[];
  sellerId: string | null;
  /** Whether the browser keeps the table: then another window may have changed it since, or made its batch. */
  isKept: Promise<boolean>;
}
let handedOver: HandedOver | null = null;
/** The key of the table that became a batch last. */
let sentKey: string | null = null;

/** Says that a table is a batch now: it is not kept for the page of a new one. */
export function markSent({ key }: BatchDraft): void {
  sentKey = key;
}

/** Lets the page of a new batch begin with a table of a batch that was removed before it was started. */
export function handOverTable(
  removed: BatchDraft,
  photos: readonly PhotoFile[],
  sellerId: string | null,
): void {
  const table = { ...removed, batchId: null, key: randomId() };
  const isKept = sellerId === null ? Promise.resolve(false) : writeBatchDraft(sellerId, table);
  handedOver = { table, photos, sellerId, isKept };
}

/**
 * The table of a new batch and the photos that were dropped for it. The table is kept over a reload, both while the seller is on
 * another page of the app.
 * @param sellerId whose table is kept; null keeps none
 */
export function useBatchTable(sellerId: string | null) {
  const [initial] = useState(() => (handedOver?.sellerId === sellerId ? handedOver : null));
  const [table, setTable] = useState<BatchDraft | null>(null);
  const [photos, setPhotos] = useState<readonly DroppedPhoto[]>([]);
  /** The key of the table as it is in the browser's storage: a window that changes nothing writes nothing. */
  const storedKey = useRef<string>(null);

  const begin = useEffectEvent((kept: BatchDraft | null, isInStorage: boolean) => {
    handedOver = null;
    if (isInStorage) storedKey.current = kept?.key ?? null;
    if (initial) replacePhotos(initial.photos.map(withUrl));
    setTable(kept ?? emptyTable());
  });
  useEffect(() => {
    let isLeft = false;
    const read = async () => {
      const isInStorage = sellerId !== null && (initial === null || (await initial.isKept));
      const kept = isInStorage ? await readBatchDraft(sellerId) : (initial?.table ?? null);
      if (!isLeft) begin(kept, isInStorage);
    };
    void read();
    return () => {
      isLeft = true;
    };
  }, [initial, sellerId]);

  /** @returns whether the browser keeps the table as it is */
  const save = useEffectEvent(async () => {
    if (sellerId === null || table === null || table.rows.length === 0) return false;
    if (table.key === storedKey.current) return true;
    if (table.key === sentKey || table.batchId !== null) return false;
    const isKept = await writeBatchDraft(sellerId, table);
    if (isKept) storedKey.current = table.key;
    return isKept;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the table is saved
  useEffect(() => {
    const timer = setTimeout(() => void save(), saveDelayMs);
    return () => clearTimeout(timer);
  }, [table]);

  /** Another content is another batch. */
  const change = (changes: (table: BatchDraft) => Partial<BatchDraft>) =>
    setTable((now) => now && { ...now, ...changes(now), key: randomId() });
  const setRows = (rows: (table: BatchDraft) => BatchDraft['rows']) => change((now) => ({ rows: rows(now) }));

  /** Photos arrive while others are read: each is added to those that are there then. */
  const photosNow = useRef<readonly DroppedPhoto[]>([]);
  /** Those that were removed, which can come back. */
  const removed = useRef<readonly DroppedPhoto[]>([]);
  const replacePhotos = (all: readonly DroppedPhoto[]) => {
    photosNow.current = all;
    setPhotos(all);
  };
  /** Adds photos; one with the path of an earlier one replaces it. Where there is no table, they become products. */
  const addPhotos = (files: readonly PhotoFile[]) => {
    if (files.length === 0) return;
    const added = files.map(withUrl);
    const paths = new Set(added.map(({ path }) => path));
    const before = photosNow.current;
    for (const photo of before) if (paths.has(photo.path)) URL.revokeObjectURL(photo.url);
    const all = [...before.filter(({ path }) => !paths.has(path)), ...added];
    replacePhotos(all);
    setRows(({ rows, pattern }) => asDraft(withPhotos(rows, all, [...paths], pattern, randomId)));
  };
  const leave = useEffectEvent(() => {
    for (const { url } of [...photos, ...removed.current]) URL.revokeObjectURL(url);
    if (sellerId === null || table === null || table.rows.length === 0) return;
    if (table.key === sentKey || table.batchId !== null) return;
    handedOver = { table, photos, sellerId, isKept: save() };
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
    /** Gives rows what is written in these cells. @param ids of the rows */
    fillRows: (ids: ReadonlySet<string>, cells: Partial<RowCells>) =>
      setRows(({ rows }) => rows.map((row) => (ids.has(row.id) ? withChanges(row, cells) : row))),
    /** Gives rows the cells of these columns back. @param before the rows as they were */
    restoreCells: (before: BatchDraft['rows'], columns: readonly Exclude<Column, 'photos'>[]) =>
      setRows(({ rows }) => {
        const old = new Map(before.map((row) => [row.id, row]));
        return rows.map((row) => ({
          ...row,
          ...Object.fromEntries(columns.map((name) => [name, (old.get(row.id) ?? row)[name]])),
        }));
      }),
    removeRows: (ids: ReadonlySet<string>) => setRows(({ rows }) => rows.filter(({ id }) => !ids.has(id))),
    /** Puts rows back where they were. @param before all rows before some were removed */
    restoreRows: (before: BatchDraft['rows']) => setRows(({ rows }) => withRemoved(rows, before)),
    /** Removes everything. @returns brings it back */
    clear: () => {
      const before = { table, photos };
      if (sellerId !== null) void removeBatchDraft(sellerId);
      removed.current = [...removed.current, ...photos];
      replacePhotos([]);
      setTable(emptyTable());
      return () => {
        const paths = new Set(before.photos.map(({ path }) => path));
        replacePhotos([...before.photos, ...photosNow.current.filter(({ path }) => !paths.has(path))]);
        setTable((now) => {
          const { table } = before;
          return now && table && { ...table, key: randomId(), rows: withRemoved(now.rows, table.rows) };
        });
      };
    },
  };
}

const withUrl = ({ path, file }: PhotoFile): DroppedPhoto => ({ path, file, url: URL.createObjectURL(file) });

/** Rows with those that were removed, where they were, and those that were added since at the end. */
function withRemoved(rows: BatchDraft['rows'], before: BatchDraft['rows']): BatchDraft['rows'] {
  const now = new Map(rows.map((row) => [row.id, row]));
  const old = new Set(before.map(({ id }) => id));
  return [...before.map((row) => now.get(row.id) ?? row), ...rows.filter(({ id }) => !old.has(id))];
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
