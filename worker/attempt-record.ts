import { hostname } from 'node:os';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { type AttemptRow, saveAttempt } from '#shared/data/operator/attempt-records.ts';
import type { WorkerContext } from './context.ts';
import type { ProviderResult } from './provider.ts';
import type { ProviderError } from './provider-error.ts';

/** Records what an attempt does, for operators. Writing is never awaited and never fails the attempt. */
export interface AttemptRecord {
  callBegan(): void;
  callAnswered(result: Pick<ProviderResult, 'requestId' | 'milliseconds'>): void;
  callFailed(error: ProviderError): void;
  end(outcome: NonNullable<AttemptRow['outcome']>, detail?: string): void;
}

const worker = `${hostname()}:${process.pid}`;

/** Begins the record of a claimed generation. It is written when its call begins and when it ends. */
export function beginAttemptRecord(
  { db, log }: Pick<WorkerContext, 'db' | 'log'>,
  { _id: generation, fence }: Pick<GenerationRow, '_id' | 'fence'>,
): AttemptRecord {
  let row: AttemptRow = {
    ...{ _id: `${generation}-${fence}`, generation, fence, worker, claimed_at: new Date() },
    ...{ call_at: null, call_ms: null, call_result: null, call_status: null, call_code: null },
    ...{ request_id: null, ended_at: null, outcome: null, detail: '' },
  };
  const save = () => {
    saveAttempt(db, row).catch((error) =>
      log.debug({ err: error, generation }, 'an attempt was not recorded'),
    );
  };
  return {
    callBegan() {
      row = { ...row, call_at: new Date() };
      save();
    },
    callAnswered({ requestId, milliseconds }) {
      row = { ...row, call_ms: milliseconds, call_result: 'ok', call_status: 200, request_id: requestId };
    },
    callFailed({ kind, status, code, requestId }) {
      const milliseconds = row.call_at && Date.now() - row.call_at.getTime();
      row = {
        ...{ ...row, call_ms: milliseconds, call_result: kind, call_status: status ?? null },
        ...{ call_code: code ?? null, request_id: requestId ?? null },
      };
    },
    end(outcome, detail = '') {
      row = { ...row, ended_at: new Date(), outcome, detail: detail.slice(0, 500) };
      save();
    },
  };
}
