import { Redo2, Undo2 } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { isIdentity } from '#contract/edit-recipe.ts';
import { shortcutOf } from '#web/lib/shortcut.ts';
import { Button } from '#web/ui/button.tsx';
import type { useEditing } from './use-editing.ts';

interface EditorButtonsProps {
  editing: ReturnType<typeof useEditing>;
  /** Undo, redo, reset or save was pressed: each may bring another recipe. */
  onStep: () => void;
  onCancel: () => void;
}

/** Undo, redo and reset; below them cancel and save. */
export function EditorButtons({ editing, onStep, onCancel }: EditorButtonsProps) {
  const { recipe, dispatch, canUndo, canRedo, isChanged, isSaving, save } = editing;
  const step = (kind: 'undo' | 'redo' | 'reset') => {
    onStep();
    dispatch({ kind });
  };
  useUndoKeys(step);
  const saveStep = () => {
    onStep();
    save();
  };
  return (
    <>
      <div className="mt-2 flex items-center gap-1">
        <Button
          variant="quiet"
          className="px-3"
          aria-label="Undo"
          aria-keyshortcuts="Control+Z"
          disabled={!canUndo}
          onClick={() => step('undo')}
        >
          <Undo2 aria-hidden className="size-5" />
        </Button>
        <Button
          variant="quiet"
          className="px-3"
          aria-label="Redo"
          aria-keyshortcuts="Control+Shift+Z"
          disabled={!canRedo}
          onClick={() => step('redo')}
        >
          <Redo2 aria-hidden className="size-5" />
        </Button>
        <Button
          variant="quiet"
          className="ml-auto"
          disabled={isIdentity(recipe)}
          onClick={() => step('reset')}
        >
          Reset
        </Button>
      </div>
      <div className="mt-3 grid grid-cols-2 gap-2">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button disabled={!isChanged || isSaving} onClick={saveStep}>
          {isSaving ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </>
  );
}

const kinds: Readonly<Record<string, 'undo' | 'redo'>> = { 'Mod+z': 'undo', 'Mod+Shift+z': 'redo' };

/** Calls `onStep` for Ctrl+Z and Ctrl+Shift+Z, on a Mac with Cmd; not in a field, where they undo what was typed. */
function useUndoKeys(onStep: (kind: 'undo' | 'redo') => void): void {
  const step = useEffectEvent(onStep);
  useEffect(() => {
    const answer = (event: KeyboardEvent) => {
      const kind = kinds[shortcutOf(event)];
      const isTyping = event.target instanceof HTMLInputElement && event.target.type !== 'range';
      if (isTyping || !kind) return;
      event.preventDefault();
      step(kind);
    };
    window.addEventListener('keydown', answer);
    return () => window.removeEventListener('keydown', answer);
  }, []);
}
