import { SlidersHorizontal } from 'lucide-react';
import type { GenerationView } from '#contract';
import { createComponentCode } from '#web/lib/component-code.ts';
import { Button } from '#web/ui/button.tsx';
import { useLoadedDialog } from '#web/ui/use-loaded-dialog.ts';

const editorCode = createComponentCode(async () => (await import('#web/features/editor/editor.tsx')).Editor);

/** Opens the editor of a finished image. Its code is loaded when the seller is about to open it. */
export function EditButton({ view }: { view: GenerationView }) {
  const { Dialog: Editor, preload, show, close } = useLoadedDialog(editorCode);
  const { image } = view;
  if (!image) return null;
  return (
    <>
      <Button variant="secondary" onClick={show} onPointerEnter={preload} onFocus={preload}>
        <SlidersHorizontal aria-hidden className="size-4.5" />
        Edit
      </Button>
      {Editor && <Editor view={{ ...view, image }} onClose={close} />}
    </>
  );
}
