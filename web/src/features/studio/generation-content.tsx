import type { ReactNode } from 'react';
import { type GenerationView, hasEnded } from '#contract';
import { NoImageView, ResultView } from './ended-view.tsx';
import { PendingView, UploadingView } from './pending-view.tsx';
import { SetNavigation } from './set-navigation.tsx';
import { type SetActions, SetView } from './set-view.tsx';
import type { OptionLimits } from './usable-options.ts';
import { VersionStrip } from './version-strip.tsx';

export interface GenerationContentProps {
  /** The photo of the form, while a request with it is being sent. */
  photoUrl: string | null;
  /** Fraction of the request that was sent, 0 to 1; null while nothing is being sent. */
  uploadProgress: number | null;
  /** The generation to show. Null only while a request is being sent. */
  view: GenerationView | null;
  /** Its newest preview, also after it has ended. */
  preview: string | null;
  /** The takes of the set of `view`; empty for a generation that is alone, and while they load. */
  takes: readonly GenerationView[];
  /** Whether the set is shown as a grid; `view` is its first take then. */
  showsSet: boolean;
  setActions: SetActions;
  onShowSet: () => void;
  cancelling: boolean;
  retrying: boolean;
  onCancelUpload: () => void;
  /** @param useImage whether the button said that stopping uses the image */
  onCancel: (useImage: boolean) => void;
  /** Null while the plan allows no image. */
  onRetry: (() => void) | null;
  onClear: () => void;
  optionLimits: OptionLimits;
  /** Beside the download of a finished image, or below why there is none. */
  renderActions: (view: GenerationView) => ReactNode;
}

/** The main area with a generation or a set, from the moment its request is being sent. */
export function GenerationContent(props: GenerationContentProps) {
  const { view, takes, uploadProgress, cancelling } = props;
  if (uploadProgress !== null) {
    return (
      <UploadingView
        photoUrl={props.photoUrl}
        progress={uploadProgress}
        cancelling={cancelling}
        onCancel={props.onCancelUpload}
      />
    );
  }
  if (view === null) return null;
  if (props.showsSet) return <SetView takes={takes} cancelling={cancelling} {...props.setActions} />;
  return (
    <>
      {takes.length > 1 && (
        <SetNavigation
          view={view}
          takes={takes}
          onShow={props.setActions.onShow}
          onShowSet={props.onShowSet}
        />
      )}
      <VersionStrip view={view} onShow={props.setActions.onShow} />
      <OneGeneration key={view.id} {...props} view={view} />
    </>
  );
}

function OneGeneration(props: GenerationContentProps & { view: GenerationView }) {
  const { view, preview, onClear } = props;
  if (!hasEnded(view.state)) {
    return (
      <PendingView
        view={view}
        preview={preview}
        cancelling={props.cancelling}
        onCancel={props.onCancel}
        onStartAnother={onClear}
      />
    );
  }
  if (view.state === 'succeeded') {
    return (
      <ResultView
        view={view}
        takes={props.takes}
        onShow={props.setActions.onShow}
        lastPreview={preview}
        onClear={onClear}
        actions={props.renderActions(view)}
        canGenerate={props.onRetry !== null}
        optionLimits={props.optionLimits}
      />
    );
  }
  return (
    <NoImageView
      view={view}
      retrying={props.retrying}
      onRetry={props.onRetry}
      onClear={onClear}
      actions={props.renderActions(view)}
    />
  );
}
