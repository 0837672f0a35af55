import { type InferRawDocType, Schema, type SchemaOptions } from 'mongoose';
import type { Trace } from '#shared/platform/trace.ts';

/**
 * The type of a stored document, inferred from the definition of its schema. mongoose infers the fields; this corrects
 * what it does not know:
 * - a field with `default: null` is null if it was not given. mongoose calls it optional as well, but it is always there.
 *   A field that may be absent is defined with {@link optional} instead, and is never null;
 * - a nested object always exists, because its fields have defaults;
 * - `_id` exists only if it is defined: subdocuments do not get one;
 * - `Mixed` is `unknown` instead of `any`.
 */
export type Row<Definition> = Flat<Fields<Definition>>;

type Fields<Definition> = WithNulls<
  InferRawDocType<Omit<Definition, NestedKeys<Definition>>, { _id: false; typeKey: 'type' }>
> & { [Key in NestedKeys<Definition>]: Fields<Definition[Key]> };

/** Keys of objects that are neither a field's options nor an array. */
type NestedKeys<Definition> = {
  [Key in keyof Definition]: Definition[Key] extends { type: unknown } | readonly unknown[] ? never : Key;
}[keyof Definition];

type WithNulls<Value> = 0 extends Value & 1
  ? unknown
  : Value extends Date | Uint8Array | string | number | boolean | null | undefined
    ? Value
    : Value extends (infer Item)[]
      ? WithNulls<Item>[]
      : Flat<
          { [Key in keyof Value as null extends Value[Key] ? Key : never]-?: WithNulls<Value[Key]> } & {
            [Key in keyof Value as null extends Value[Key] ? never : Key]: WithNulls<Value[Key]>;
          }
        >;

/** An intersection of objects as one object, so that error messages and editors show its fields. */
type Flat<Value> = { [Key in keyof Value]: Value[Key] };

/** Options of every collection: no version key, and a field that is not in the schema is an error. */
export const rowOptions = { versionKey: false, strict: 'throw' } as const satisfies SchemaOptions;

/** Options of a subdocument. */
export const partOptions = { _id: false } as const;

/** Definitions of common fields. */
export const text = { type: String, required: true } as const;
export const nullableText = { type: String, default: null } as const;
export const date = { type: Date, required: true } as const;
export const nullableDate = { type: Date, default: null } as const;
export const number = { type: Number, required: true } as const;
export const nullableNumber = { type: Number, default: null } as const;
export const flag = { type: Boolean, required: true } as const;

/** Option of a field that may be absent and is never null. */
export const optional = { allowNull: false } as const;

/** The trace of the request that made a document. */
export const traceSchema = new Schema<Trace>({ id: text, parent: nullableText }, partOptions);
