/** Stores the received mails in a SQLite file. */
import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Mail, MessageParts } from './mail.ts';

/** How many mails are kept; older ones are deleted. */
const maxMails = 1_000;

/** Search conditions; an omitted condition matches every mail. */
export interface MailQuery {
  /** The exact address of a recipient, case-insensitive. */
  to?: string | undefined;
  /** Part of the subject. */
  subject?: string | undefined;
  /** Arrived after the mail with this id. */
  after?: number | undefined;
}

/** Thrown when another process uses the data folder. */
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
  AND (:after IS NULL OR id > :after)`;

/** Stores the newest mails. Emits `mail` for each new one, once it is on disk. */
export class MailStore extends EventEmitter<{ mail: [Mail] }> {
  readonly #sqlite: DatabaseSync;

  /**
   * Opens or creates `mail.sqlite` in the folder; without a folder, mails are kept in memory.
   * @throws MailFolderInUse when another process uses it
   */
  constructor(folder: string | undefined) {
    super();
    // Every long-polling client adds a listener.
    this.setMaxListeners(0);
    if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#sqlite = new DatabaseSync(folder === undefined ? ':memory:' : join(folder, 'mail.sqlite'), {
      timeout: 0,
    });
    try {
      // EXCLUSIVE holds the lock as long as the process lives; the operating system releases it however the process
      // ends.
      this.#sqlite.exec(
        'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN IMMEDIATE; COMMIT',
      );
    } catch (error) {
      this.#sqlite.close();
      if (folder !== undefined && /locked|busy/i.test((error as Error).message))
        throw new MailFolderInUse(folder);
      throw error;
    }
    // AUTOINCREMENT: ids are never reused, so `after` stays correct when all mails are deleted.
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

  /** Stores a mail and deletes the oldest one beyond the limit; both are on disk when this returns. */
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
        .run(maxMails);
      this.#sqlite.exec('COMMIT');
    } catch (error) {
      if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK');
      throw error;
    }
    const mail: Mail = { id, to: [...recipients], ...parts, at };
    this.emit('mail', mail);
    return mail;
  }

  /** The matching mails, newest first. */
  find(query: MailQuery = {}): Mail[] {
    return this.#select(query, 'DESC', maxMails);
  }

  /**
   * The mail for a waiting client: without `after` the newest match, with it the first match after that mail, so that
   * a client can read all mails in order without missing any.
   */
  findOne(query: MailQuery): Mail | undefined {
    return this.#select(query, query.after === undefined ? 'DESC' : 'ASC', 1)[0];
  }

  /** A mail by its id. */
  get(id: number): Mail | undefined {
    const row = this.#sqlite.prepare(`SELECT ${columns} FROM mails WHERE id = ?`).get(id);
    return row === undefined ? undefined : toMail(row as unknown as MailRow);
  }

  /** The raw message. */
  source(id: number): Buffer | undefined {
    const row = this.#sqlite.prepare('SELECT source FROM mails WHERE id = ?').get(id);
    return row === undefined ? undefined : Buffer.from(row.source as Uint8Array);
  }

  /** The id of the newest mail, even if it has been deleted; 0 before the first. */
  newestId(): number {
    const row = this.#sqlite.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'mails'").get();
    return (row?.seq as number | undefined) ?? 0;
  }

  /** Deletes all mails. */
  clear(): void {
    this.#sqlite.exec('DELETE FROM mails');
  }

  close(): void {
    this.#sqlite.close();
  }

  #select(query: MailQuery, order: 'ASC' | 'DESC', limit: number): Mail[] {
    const { to = null, subject = null, after = null } = query;
    const rows = this.#sqlite
      .prepare(`SELECT ${columns} FROM mails WHERE ${conditions} ORDER BY id ${order} LIMIT :limit`)
      .all({ to, subject, after, limit });
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
