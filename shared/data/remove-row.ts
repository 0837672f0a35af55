import type { Model, QueryFilter } from 'mongoose';

/**
 * Removes one document for good. Idempotent.
 * @param found matches at most one document
 * @throws when it is there still: what follows counts on that it is gone, such as the loss of the only pointer to it
 */
export async function removeRow<Row>(model: Model<Row>, found: QueryFilter<Row>): Promise<void> {
  const { deletedCount } = await model.deleteOne(found);
  if (deletedCount === 0 && (await model.exists(found)))
    throw new Error(`a document of ${model.collection.name} was not removed`);
}
