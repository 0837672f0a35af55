import { Schema } from 'mongoose';
import { collection } from '../collection.ts';
import type { Db } from '../db.ts';
import { date, number, type Row, rowOptions } from '../row.ts';

const auditResult = {
  _id: { type: String, enum: ['last'] as const, required: true },
  ended_at: date,
  /** What did not add up; 0 for nothing. */
  findings: number,
};

/** What the last `npm run audit` found. There is one document. */
export interface AuditResultRow extends Row<typeof auditResult> {}

const auditResultSchema = new Schema<AuditResultRow>(auditResult, rowOptions);

export const auditResults = collection<AuditResultRow>('audit_results', auditResultSchema);

/** Records the result of an audit, in place of the one before. */
export async function saveAuditResult(db: Db, findings: number): Promise<void> {
  await auditResults(db).updateOne(
    { _id: 'last' },
    { $set: { findings, ended_at: new Date() } },
    { upsert: true },
  );
}

/** @returns the result of the last audit, or null when there was none */
export async function findAuditResult(db: Db): Promise<AuditResultRow | null> {
  return auditResults(db).findById('last').lean();
}
