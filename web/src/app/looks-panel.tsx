import { toast } from 'sonner';
import { imageOptionsOf, imageSizeOf, isolateName, type LookView, withTemplate } from '#contract';
import { LooksDialog } from '#web/features/looks/looks-dialog.tsx';
import { rememberExportChoice } from '#web/lib/export-choice.ts';
import type { StudioOptions } from '#web/lib/studio-options.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { type OptionLimits, usableOptions } from '#web/ui/options/usable-options.ts';

export interface LooksPanelProps {
  prompt: string;
  options: StudioOptions;
  optionLimits: OptionLimits;
  /** Puts description and options into the studio's form. */
  onFill: (prompt: string, options: StudioOptions) => void;
  onClose: () => void;
}

/** The looks, and what using one does to the studio's form. It is loaded when it is first opened. */
export function LooksPanel({ prompt, options, optionLimits, onFill, onClose }: LooksPanelProps) {
  const apply = (look: LookView) => {
    const { template, scene, numImages, exportPresets } = look;
    const wanted = { ...options, ...imageOptionsOf(look), numImages };
    const usable = usableOptions(wanted, optionLimits);
    onFill(template ? withTemplate(template, scene) : scene, usable);
    rememberExportChoice(exportPresets);
    onClose();
    const changed = changesOf(wanted, usable, optionLimits);
    const message = toast(`Look “${isolateName(look.name)}” applied.${changed}`, {
      duration: 10_000,
      action: (
        <button
          type="button"
          onClick={() => {
            toast.dismiss(message);
            onFill(prompt, options);
          }}
          className={`ml-auto -my-2 min-h-11 rounded-field px-3 ${textLinkClass}`}
        >
          Undo
        </button>
      ),
    });
  };
  return <LooksDialog form={{ prompt, options }} onApply={apply} onClose={onClose} />;
}

/** Says which options of a look are not available now. */
function changesOf(wanted: StudioOptions, usable: StudioOptions, { capabilities }: OptionLimits): string {
  const size = imageSizeOf(wanted.width, wanted.height);
  const reason =
    size && capabilities.sizes.includes(size) ? 'with your plan' : 'from the image service in use';
  const parts = [
    wanted.width !== usable.width || wanted.height !== usable.height
      ? ` ${wanted.width} × ${wanted.height} is not available ${reason}, so the size is ${usable.width} × ${usable.height}.`
      : '',
    wanted.background === usable.background ? '' : ' A transparent background is not available.',
    wanted.numImages === usable.numImages ? '' : ` Your balance is enough for ${usable.numImages}.`,
  ];
  return parts.join('');
}
