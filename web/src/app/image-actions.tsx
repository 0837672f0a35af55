import { downloadName, type GenerationView } from '#contract';
import { buttonClass } from '#web/ui/button.tsx';
import { EditButton } from './edit-button.tsx';

/** What a seller can do with a finished image, beside its download. */
export function ImageActions({ view }: { view: GenerationView }) {
  return (
    <>
      <EditButton view={view} />
      {view.edits && (
        <a
          href={view.image?.downloadUrl}
          download={downloadName(view.productName, view.createdAt)}
          className={buttonClass('secondary')}
        >
          Download the original
        </a>
      )}
    </>
  );
}
