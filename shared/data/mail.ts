import { type Model, Schema } from 'mongoose';
import type { MailKind, MailPriority } from '#shared/mail/index.ts';

/** A mail that is to be sent, or was. Its id is its Message-ID, so that a second delivery can be recognised. */
export interface MailRow {
  _id: string;
  /** Null in rows of a version that did not keep it, as is `priority`. */
  kind: MailKind | null;
  /** Mails of 0 are sent before all others. */
  priority: MailPriority | null;
  to: string;
  subject: string;
  /** Gone once it is sent: links in it open accounts. */
  text: string | null;
  html: string | null;
  created_at: Date;
  /** When it may be tried, again after a failure. */
  due_at: Date;
  attempts: number;
  /** When it was sent or given up; it is forgotten a day later. */
  ended_at: Date | null;
  /** Why the last try failed. */
  failure: string | null;
}

export type MailModel = Model<MailRow>;

export const mailSchema = new Schema<MailRow, MailModel>(
  {
    _id: { type: String, required: true },
    kind: { type: String, default: null },
    priority: { type: Number, default: null },
    to: { type: String, required: true },
    subject: { type: String, required: true },
    text: { type: String, default: null },
    html: { type: String, default: null },
    created_at: { type: Date, required: true },
    due_at: { type: Date, required: true },
    attempts: { type: Number, default: 0 },
    ended_at: { type: Date, default: null },
    failure: { type: String, default: null },
  },
  { versionKey: false, strict: 'throw' },
);
mailSchema.index({ ended_at: 1, priority: 1, due_at: 1 });
mailSchema.index({ ended_at: 1 }, { expireAfterSeconds: 86_400, name: 'forget' });
