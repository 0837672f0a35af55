import { SlidersHorizontal } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import type { GenerationView } from '#contract';
import type { EditorProps } from '#web/features/editor/editor.tsx';
import { networkError } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { showRefusal } from '#web/ui/show-refusal.ts';

/** The editor's code; undefined until it is loaded. */
let Editor: ComponentType<EditorProps> | undefined;

async function load(): Promise<void> {
  Editor ??= (await import('#web/features/editor/editor.tsx')).Editor;
}

/** Opens the editor of a finished image. Its code is loaded when the seller is about to open it. */
export function EditButton({ view }: { view: GenerationView }) {
  const [open, setOpen] = useState(false);
  const { image } = view;
  if (!image) return null;
  const show = () =>
    load().then(
      () => setOpen(true),
      () => showRefusal(networkError().message),
    );
  return (
    <>
      <Button
        variant="secondary"
        onClick={show}
        onPointerEnter={() => void load().catch(() => {})}
        onFocus={() => void load().catch(() => {})}
      >
        <SlidersHorizontal aria-hidden className="size-4.5" />
        Edit
      </Button>
      {open && Editor && <Editor view={{ ...view, image }} onClose={() => setOpen(false)} />}
    </>
  );
}
