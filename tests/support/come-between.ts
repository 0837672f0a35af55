/** What another request or process does between two steps of one, for certain instead of now and then. */
import type { Model } from 'mongoose';

/** Does something just before the next statement of a kind on a collection, which then finds what was done. */
export function doBefore(
  { collection }: Pick<Model<unknown>, 'collection'>,
  statement: 'insertOne' | 'updateOne' | 'findOneAndUpdate',
  work: () => Promise<unknown>,
): void {
  const statements = collection as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
  const original = statements[statement]!;
  statements[statement] = async (...given) => {
    statements[statement] = original;
    await work();
    return original.apply(collection, given);
  };
}
