import { toast } from 'sonner';
import { imageOptionsOf, imageSizeOf, isolateName, type LookView } from '#contract';
import type { FormContent } from '#web/features/studio/studio.tsx';
import { rememberExportChoice } from '#web/lib/export-choice.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import type { OptionLimits } from '#web/ui/options/usable-options.ts';

interface AppliedLook {
  look: LookView;
  /** What the form contained before. */
  before: FormContent;
  /** The options that the form has now. */
  usable: FormContent['options'];
  optionLimits: OptionLimits;
  onFill: (content: FormContent) => void;
}

/** Says that a look was put into the form and what of it is not available, and offers to undo that. Loaded with the first one. */
export function announceLook({ look, before, usable, optionLimits, onFill }: AppliedLook): void {
  rememberExportChoice(look.exportPresets);
  const wanted = { ...before.options, ...imageOptionsOf(look), numImages: look.numImages };
  const changed = changesOf(wanted, usable, optionLimits);
  const message = toast(`Look “${isolateName(look.name)}” applied.${changed}`, {
    duration: 10_000,
    action: (
      <button
        type="button"
        onClick={() => {
          toast.dismiss(message);
          onFill(before);
        }}
        className={`ml-auto -my-2 min-h-11 rounded-field px-3 ${textLinkClass}`}
      >
        Undo
      </button>
    ),
  });
}

type Options = FormContent['options'];

/** Says which options of a look are not available now. */
function changesOf(wanted: Options, usable: Options, { capabilities }: OptionLimits): string {
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
