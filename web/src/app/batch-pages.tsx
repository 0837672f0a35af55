import { useParams } from 'react-router-dom';
import { BatchPage } from './batch-page.tsx';
import { BatchesPage } from './batches-page.tsx';
import { NewBatchPage } from './new-batch-page.tsx';

/** The pages of batches, as one piece of code: all of them, a new one, or one by its id. */
export function BatchPages() {
  const { id } = useParams();
  if (id === undefined) return <BatchesPage />;
  return id === 'new' ? <NewBatchPage /> : <BatchPage key={id} id={id} />;
}
