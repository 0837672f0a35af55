import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A ZIP that is written entry by entry while its output is read. */
export interface ZipWriter {
  output: Readable;
  /** Aborted when the output is closed: read to its end, or destroyed. */
  closed: AbortSignal;
  /**
   * Writes one entry. Resolves when all of it has been read.
   * @param open opens the source. Called when the entry's turn comes, so that one source is open at a time
   * @param entry at: its date; packed: whether the content is compressed already
   * @throws when the source fails or the output is destroyed
   */
  add(path: string, open: () => Promise<Readable>, entry: { at: Date; packed: boolean }): Promise<void>;
  end(): void;
}

/** Begins a ZIP. Destroying the output closes the open source. */
export function createZip(): ZipWriter {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let source: Readable | undefined;
  const closed = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    output.once('close', () => {
      const reason = new Error('the reader is gone');
      source?.destroy();
      closed.abort(reason);
      reject(reason);
    });
  });
  stopped.catch(() => {});
  zip.on('error', (error: Error) => output.destroy(error));
  return {
    output,
    closed: closed.signal,
    add(path, open, { at, packed }) {
      const written = new Promise<void>((resolve, reject) => {
        zip.addReadStreamLazy(path, { mtime: at, compress: !packed }, (give) => {
          open().then(
            (opened) => {
              source = opened;
              opened.once('error', reject).once('close', resolve);
              if (output.destroyed) opened.destroy();
              else give(null, opened);
            },
            (error) => {
              reject(error);
              output.destroy(error);
            },
          );
        });
      });
      return Promise.race([written, stopped]);
    },
    end: () => zip.end(),
  };
}
