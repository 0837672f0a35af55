/** The mails that have come in, in one SQLite file. */
import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Mail, MessageParts } from './mail.ts';

/** Mails that are kept; the oldest go first. */
export const mostMails = 1_000;

/** What a mail must have to be found; a condition that is left out holds for every mail. */
export interface MailQuery {
  /** One of its recipients, whole; upper and lower case are the same. */
  to?: string | undefined;
  /** Part of its subject. */
  subject?: string | undefined;
  /** Part of a recipient, the sender or the subject; upper and lower case are the same. */
  search?: string | undefined;
  /** Came at this moment or later: ISO 8601, UTC. */
  since?: string | undefined;
  /** Came after the mail with this id. */
  after?: number | undefined;
}

/** Raised when another process has the data folder open. */
export class MailFolderInUse extends Error {
  constructor(folder: string) {
    super(
      `The data folder ${folder} is in use by another mail service. Stop that one first, or give another folder.`,
    );
  }
}

interface MailRow {
  id: number;
  at: string;
  recipients: string;
  sender: string;
  subject: string;
  text: string;
  html: string;
  headers: string;
}

const columns = 'id, at, recipients, sender, subject, text, html, headers';
const conditions = `
  (:to IS NULL OR EXISTS (SELECT 1 FROM json_each(recipients) WHERE lower(value) = lower(:to)))
  AND (:subject IS NULL OR instr(subject, :subject) > 0)
  AND (:search IS NULL OR instr(lower(recipients || ' ' || sender || ' ' || subject), lower(:search)) > 0)
  AND (:since IS NULL OR at >= :since)
  AND (:after IS NULL OR id > :after)`;

/** Keeps the newest mails. Emits `mail` with each new one, once it is on disk. */
export class MailStore extends EventEmitter<{ mail: [Mail] }> {
  readonly #sqlite: DatabaseSync;

  /**
   * Opens or makes `mail.sqlite` in the folder; without a folder the mails end with the store.
   * @throws MailFolderInUse when another process has it
   */
  constructor(folder: string | undefined) {
    super();
    // Every long-polling client listens.
    this.setMaxListeners(0);
    if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#sqlite = new DatabaseSync(folder === undefined ? ':memory:' : join(folder, 'mail.sqlite'), {
      timeout: 0,
    });
    try {
      // EXCLUSIVE keeps the lock for the life of the process, and the operating system drops it however that ends.
      this.#sqlite.exec(
        'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN IMMEDIATE; COMMIT',
      );
    } catch (error) {
      this.#sqlite.close();
      if (folder !== undefined && /locked|busy/i.test((error as Error).message))
        throw new MailFolderInUse(folder);
      throw error;
    }
    // AUTOINCREMENT: an id is never given twice, so "after this mail" stays true when all are deleted.
    this.#sqlite.exec(`CREATE TABLE IF NOT EXISTS mails (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      recipients TEXT NOT NULL,
      sender TEXT NOT NULL,
      subject TEXT NOT NULL,
      text TEXT NOT NULL,
      html TEXT NOT NULL,
      headers TEXT NOT NULL,
      source BLOB NOT NULL
    ) STRICT`);
  }

  /** Keeps a mail and drops the oldest one over the limit; when this returns, both are on disk. */
  add(recipients: readonly string[], parts: MessageParts, source: Buffer): Mail {
    const at = new Date().toISOString();
    this.#sqlite.exec('BEGIN');
    let id: number;
    try {
      const { lastInsertRowid } = this.#sqlite
        .prepare(
          `INSERT INTO mails (at, recipients, sender, subject, text, html, headers, source)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          at,
          JSON.stringify(recipients),
          parts.from,
          parts.subject,
          parts.text,
          parts.html,
          JSON.stringify(parts.headers),
          source,
        );
      id = Number(lastInsertRowid);
      this.#sqlite
        .prepare('DELETE FROM mails WHERE id <= (SELECT id FROM mails ORDER BY id DESC LIMIT 1 OFFSET ?)')
        .run(mostMails);
      this.#sqlite.exec('COMMIT');
    } catch (error) {
      if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK');
      throw error;
    }
    const mail: Mail = { id, to: [...recipients], ...parts, at };
    this.emit('mail', mail);
    return mail;
  }

  /** The mails that fit, newest first. */
  find(query: MailQuery = {}): Mail[] {
    return this.#select(query, 'DESC', mostMails);
  }

  /**
   * The one mail that a waiting program means: without `after` the newest that fits, with it the first one that came
   * after that mail, so that a program can go from mail to mail and miss none.
   */
  findOne(query: MailQuery): Mail | undefined {
    return this.#select(query, query.after === undefined ? 'DESC' : 'ASC', 1)[0];
  }

  /** One mail by its id. */
  get(id: number): Mail | undefined {
    const row = this.#sqlite.prepare(`SELECT ${columns} FROM mails WHERE id = ?`).get(id);
    return row === undefined ? undefined : toMail(row as unknown as MailRow);
  }

  /** The bytes of a mail as they came. */
  source(id: number): Buffer | undefined {
    const row = this.#sqlite.prepare('SELECT source FROM mails WHERE id = ?').get(id);
    return row === undefined ? undefined : Buffer.from(row.source as Uint8Array);
  }

  /** How many mails are kept. */
  count(): number {
    return this.#sqlite.prepare('SELECT count(*) AS mails FROM mails').get()?.mails as number;
  }

  /** The id of the mail that came last, also when it is deleted; 0 before the first. */
  newestId(): number {
    const row = this.#sqlite.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'mails'").get();
    return (row?.seq as number | undefined) ?? 0;
  }

  /** Deletes all mails. @returns how many there were */
  clear(): number {
    return Number(this.#sqlite.prepare('DELETE FROM mails').run().changes);
  }

  close(): void {
    this.#sqlite.close();
  }

  #select(query: MailQuery, order: 'ASC' | 'DESC', limit: number): Mail[] {
    const { to = null, subject = null, search = null, since = null, after = null } = query;
    const rows = this.#sqlite
      .prepare(`SELECT ${columns} FROM mails WHERE ${conditions} ORDER BY id ${order} LIMIT :limit`)
      .all({ to, subject, search, since, after, limit });
    return (rows as unknown as MailRow[]).map(toMail);
  }
}

function toMail(row: MailRow): Mail {
  return {
    id: row.id,
    to: JSON.parse(row.recipients) as string[],
    from: row.sender,
    subject: row.subject,
    text: row.text,
    html: row.html,
    headers: JSON.parse(row.headers) as Record<string, string[]>,
    at: row.at,
  };
}
