import { ImagePlus, RefreshCw } from 'lucide-react';
import { downloadName, type GenerationView } from '#contract';
import type { ImageUses } from '#web/features/studio/studio.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { MenuButton } from '#web/ui/menu-button.tsx';
import type { MenuItem } from '#web/ui/menu-trigger.tsx';
import { EditButton } from './edit-button.tsx';

interface ImageActionsProps {
  view: GenerationView;
  uses: ImageUses;
}

/** What a seller can do with a finished image, beside its download: the most frequent as buttons, the rest in a menu. */
export function ImageActions({ view, uses }: ImageActionsProps) {
  const items: MenuItem[] = [
    {
      name: 'Run again with the same settings',
      Icon: RefreshCw,
      onSelect: () => uses.runAgain?.(),
      disabled: uses.runAgain === null,
    },
    {
      name: 'Use as photo',
      Icon: ImagePlus,
      onSelect: () => uses.addAsPhoto?.(),
      disabled: uses.addAsPhoto === null,
    },
  ];
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
      <MenuButton label="More" items={items} />
    </>
  );
}
