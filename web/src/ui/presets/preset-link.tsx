import type { ReactNode } from 'react';
import { type FilePreset, isOwnPresetId } from '#contract';
import { download } from '#web/lib/save-file.ts';
import type { ChosenPresets } from './use-chosen-presets.ts';

interface PresetLinkProps {
  href: string;
  presets: readonly FilePreset[];
  areThere: ChosenPresets['areThere'];
  /** Called when the download begins. */
  onDownload?: () => void;
  className: string;
  children: ReactNode;
}

/**
 * A link that downloads files in presets. With own ones it asks first whether they are still there: a download that is refused
 * says nothing in words. What is gone then shows where the presets are chosen.
 */
export function PresetLink({ href, presets, areThere, onDownload, className, children }: PresetLinkProps) {
  return (
    <a
      href={href}
      download
      className={className}
      onClick={(event) => {
        if (!presets.some(({ id }) => isOwnPresetId(id))) return onDownload?.();
        event.preventDefault();
        void areThere(presets).then((are) => {
          if (!are) return;
          onDownload?.();
          download(href);
        });
      }}
    >
      {children}
    </a>
  );
}
