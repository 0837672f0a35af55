import { useState } from 'react';
import { toast } from 'sonner';
import { type FilePreset, type GenerationView, isOwnPresetId, isolateName } from '#contract';
import { makeExport } from '#web/features/exports/api.ts';
import { messageOf } from '#web/lib/api.ts';
import { rememberExportChoice } from '#web/lib/export-choice.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { toastError } from '#web/ui/toast-error.ts';

/**
 * Saves an image in a preset in one click, remembers the preset, and says which of its rules the file breaks: nobody
 * has seen them before.
 * @param onShow opens the export, which says why
 */
export function useQuickExport(
  image: Pick<GenerationView, 'id' | 'edits'>,
  onShow: () => void,
): { save: (preset: FilePreset) => void; isSaving: boolean } {
  const [isSaving, setIsSaving] = useState(false);
  const save = async (preset: FilePreset) => {
    if (isSaving) return;
    const name = isolateName(preset.name);
    rememberExportChoice([preset.id]);
    setIsSaving(true);
    const waiting = toast.loading(`Making the file for ${name}…`);
    try {
      const { file, check } = await makeExport(
        { image, preset, format: 'png' },
        new AbortController().signal,
      );
      saveFile(file, check.fileName);
      const broken = check.rules.filter(({ outcome }) => outcome === 'fails');
      if (broken.length === 0) return;
      const meaning = isOwnPresetId(preset.id) ? ': not as you asked' : ' may be refused';
      toast.warning(`${name}${meaning}: ${broken.map((rule) => rule.name.toLowerCase()).join(', ')}.`, {
        action: { label: 'See why', onClick: onShow },
      });
    } catch (error) {
      toastError(messageOf(error));
    } finally {
      toast.dismiss(waiting);
      setIsSaving(false);
    }
  };
  return { save: (preset) => void save(preset), isSaving };
}
