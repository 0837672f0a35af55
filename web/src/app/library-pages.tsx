import { useParams } from 'react-router-dom';
import { LibraryPage } from './library-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { TrashPage } from './trash-page.tsx';

/** The pages of the library, as one piece of code: what there is, and what was deleted. */
export function LibraryPages() {
  const { view } = useParams();
  if (view === undefined) return <LibraryPage />;
  return view === 'trash' ? <TrashPage /> : <NotFoundPage />;
}
