import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Brush } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import {
  type ChangeRequest,
  type GenerationSet,
  type GenerationView,
  generationSetSchema,
  limits,
  mayUse,
  pages,
  paths,
  planIds,
  plans,
} from '#contract';
import { callApi, isOutcomeUnknown, messageOf } from '#web/lib/api.ts';
import { createComponentCode, useComponentCode } from '#web/lib/component-code.ts';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import type { OptionLimits } from '#web/ui/options/usable-options.ts';
import { toastError } from '#web/ui/toast-error.ts';
import { IdempotencyKey } from './idempotency-key.ts';

interface ChangeOrder extends ChangeRequest {
  /** The generation whose image is changed. */
  id: string;
  idempotencyKey: string;
}

/** Changes a finished image: makes a new generation. @throws ApiError */
function changeGeneration({ id, idempotencyKey, ...body }: ChangeOrder): Promise<GenerationSet> {
  return callApi('POST', paths.changes(id), generationSetSchema, { body, idempotencyKey });
}

interface ChangeOutcomes {
  /** @param id the new version */
  onChanged: (id: string) => void;
  onError: (error: Error) => void;
}

/** Changes a finished image. */
function useChange({ onChanged, onError }: ChangeOutcomes) {
  const client = useQueryClient();
  const [key] = useState(() => new IdempotencyKey());
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: changeGeneration,
    onSuccess: ({ generations }) => {
      key.clear();
      for (const view of generations) cacheGeneration(client, view);
      const [version] = generations;
      if (!version) return;
      void client.invalidateQueries({ queryKey: queryKeys.versions(version.rootId) });
      onChanged(version.id);
    },
    onError: (failure) => {
      // Without a reply the same request may be sent again: it must not make a second image.
      if (!isOutcomeUnknown(failure)) key.clear();
      onError(failure);
    },
  });
  return {
    change: (id: string, request: ChangeRequest) =>
      mutate({ id, ...request, idempotencyKey: key.for(JSON.stringify([id, request])) }),
    isPending,
    error,
    clearError: reset,
  };
}

const brushCode = createComponentCode(async () => (await import('./brush-dialog.tsx')).BrushDialog);

/** The plans with the brush. */
const plansWithBrush = planIds
  .filter((plan) => mayUse('brush', { plan, canGenerate: true }))
  .map((plan) => plans[plan].name)
  .join(' and ');

interface ChangePanelProps {
  /** Of a finished image. */
  view: GenerationView & { image: NonNullable<GenerationView['image']> };
  /** Whether the plan allows an image. */
  canGenerate: boolean;
  optionLimits: OptionLimits;
  onShow: (id: string) => void;
}

/** Changes something in a finished image: in words, or only where the seller marks it. */
export function ChangePanel({ view, canGenerate, optionLimits, onShow }: ChangePanelProps) {
  const [instruction, setInstruction] = useState('');
  const [brushing, setBrushing] = useState(false);
  const BrushDialog = useComponentCode(brushCode, brushing);
  const { change, isPending, error, clearError } = useChange({
    onChanged: (id) => {
      setBrushing(false);
      onShow(id);
    },
    // The dialog shows it itself.
    onError: (refusal) => !brushing && toastError(messageOf(refusal)),
  });
  const { capabilities, mayBrush } = optionLimits;
  const brushHint = capabilities.mask
    ? mayBrush
      ? null
      : 'plan'
    : 'The image service in use cannot change only a part of an image.';
  return (
    <form
      aria-label="Change something"
      className="grid scroll-mb-40 gap-3 rounded-card border border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (instruction.trim() !== '') change(view.id, { instruction });
      }}
    >
      <Field
        label="Change something"
        name="change"
        placeholder="For example: make the wall light blue"
        autoComplete="off"
        maxLength={limits.promptCharacters}
        value={instruction}
        onChange={({ target }) => setInstruction(target.value)}
        hint={
          canGenerate
            ? 'Makes a new version of this image, and uses 1 image.'
            : 'It would use 1 image, and you have none left.'
        }
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          variant="secondary"
          disabled={!canGenerate || isPending || instruction.trim() === ''}
        >
          {isPending ? 'Sending...' : 'Make the change'}
        </Button>
        <Button
          variant="secondary"
          disabled={!canGenerate || isPending || brushHint !== null}
          onClick={() => {
            if (error) clearError();
            setBrushing(true);
          }}
          onPointerEnter={() => void brushCode.preload()}
        >
          <Brush aria-hidden className="size-4.5" />
          Mark an area
        </Button>
        {brushHint !== null && (
          <span className="text-sm text-ink-soft">
            {brushHint === 'plan' ? (
              <>
                Marking an area is part of the {plansWithBrush} plan.{' '}
                <Link to={pages.plan} className={textLinkClass}>
                  See plans
                </Link>
              </>
            ) : (
              brushHint
            )}
          </span>
        )}
      </div>
      {brushing && BrushDialog && (
        <BrushDialog
          image={view.image}
          instruction={instruction}
          busy={isPending}
          error={error}
          onChange={(request) => change(view.id, request)}
          onClose={() => setBrushing(false)}
        />
      )}
    </form>
  );
}
