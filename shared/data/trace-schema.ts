import { Schema } from 'mongoose';
import type { Trace } from '#shared/platform/trace.ts';
import { nullableText, partOptions, text } from './row.ts';

/** The trace of the request that made a document. */
export const traceSchema = new Schema<Trace>({ id: text, parent: nullableText }, partOptions);
