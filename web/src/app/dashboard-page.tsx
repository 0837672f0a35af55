import { Bookmark } from 'lucide-react';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import {
  type GenerationView,
  hasEnded,
  imageOptionsOf,
  type LookView,
  mayUse,
  pages,
  type Settings,
} from '#contract';
import { BannerBar, useClosedUntil } from '#web/features/banner/banner-bar.tsx';
import { History } from '#web/features/history/history.tsx';
import type { TrashedNotice } from '#web/features/library/trashed-notice.tsx';
import { useLooks } from '#web/features/looks/api.ts';
import type { CheckoutReturn } from '#web/features/plan/checkout-return.tsx';
import { imagesLeft } from '#web/features/plan/images-left.ts';
import { findPlanGate, type PlanGate } from '#web/features/plan/plan-gate.ts';
import { ProjectPicker } from '#web/features/projects/project-picker.tsx';
import { generationCode } from '#web/features/studio/generation-code.ts';
import { type FormContent, Studio } from '#web/features/studio/studio.tsx';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { createComponentCode, useComponentCode } from '#web/lib/component-code.ts';
import { useGeneration, useGenerations, useTakes } from '#web/lib/generations.ts';
import { usePage } from '#web/lib/page.ts';
import { useChangeSettings } from '#web/lib/settings.ts';
import type { StudioOptions } from '#web/lib/studio-options.ts';
import { Button } from '#web/ui/button.tsx';
import { usableOptions } from '#web/ui/options/usable-options.ts';
import { toastError } from '#web/ui/toast-error.ts';
import { useLoadedDialog } from '#web/ui/use-loaded-dialog.ts';
import type { ImageActionsProps, SetActions, TakeEditButton } from './image-actions.tsx';
import { LazyPlanGateMessage } from './plan-gate.tsx';
import { useSignedIn } from './protected.tsx';
import { shownQuery } from './shown-query.ts';

/** What a seller lacks whose plan allows no image. */
const missingFor: Readonly<Record<PlanGate, string>> = {
  NO_SUBSCRIPTION: 'a plan',
  PAYMENT_OVERDUE: 'a payment',
  PAYMENT_RETURNED: 'a payment',
  NO_CREDITS: 'images on your plan',
  FAIR_USE: 'images on your plan',
};

/** The dashboard. The shown generation's id is in the URL, so a reload shows the same one. */
export function DashboardPage() {
  const heading = usePage('Studio');
  const { user, subscription, settings, imageProvider, imageCapabilities } = useSignedIn();
  const [query] = useSearchParams();
  // Not on every visit: it reads the subscription from Stripe.
  const [fromCheckout] = useState(query.has('checkout') || query.has('pack'));
  const { view, takes, showsSet, missingId, show, showSet } = useShownGeneration();
  const closed = useClosedUntil();
  const renderPlanGate = (errorCode: string | null) => {
    if (closed) {
      const renderMessage = () => <BannerBar until={closed} />;
      return { renderMessage, missing: 'an open studio', leadsToPlans: false };
    }
    const gate = findPlanGate(subscription, errorCode);
    return (
      gate && {
        renderMessage: (how: { isShort: boolean; isQuiet: boolean }) => (
          <LazyPlanGateMessage gate={gate} subscription={subscription} {...how} />
        ),
        missing: missingFor[gate],
        leadsToPlans: ['NO_SUBSCRIPTION', 'NO_CREDITS', 'FAIR_USE'].includes(gate),
      }
    );
  };
  /** After a deletion: what is left of the set. */
  const showOthers = ({ id: deletedId }: GenerationView) => {
    const left = takes.filter(({ id }) => id !== deletedId);
    if (left.length > 1) showSet(left[0]!.set.id);
    else show(left[0]?.id ?? null);
  };
  const showRestored = (id: string) => {
    // The seller may have gone to another page.
    if (window.location.pathname === pages.dashboard) show(id);
  };
  const optionLimits = {
    capabilities: imageCapabilities,
    mayUse2k: mayUse('resolution-2k', subscription),
    mayBrush: mayUse('brush', subscription),
    imagesLeft: imagesLeft(subscription),
  };
  const { data: looks = [] } = useLooks();
  const { quality, untilQualitySaved } = useQuality(settings.imageQuality);
  const optionsOfLook = (look: LookView, options: StudioOptions) =>
    usableOptions({ ...options, ...imageOptionsOf(look), numImages: look.numImages }, optionLimits);
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="sr-only">
        Studio
      </h1>
      {fromCheckout && (
        <div className="mx-auto max-w-[100rem] px-4 pt-5 sm:px-6">
          <LazyCheckoutReturn subscription={subscription} />
        </div>
      )}
      {missingId !== null && (
        <div className="mx-auto max-w-[100rem] px-4 pt-5 sm:px-6">
          <LazyTrashedNotice
            key={missingId}
            id={missingId}
            onRestored={() => showRestored(missingId)}
            onClose={() => show(null)}
          />
        </div>
      )}
      <Studio
        view={view}
        takes={takes}
        showsSet={showsSet}
        onShow={show}
        onShowSet={showSet}
        draftSellerId={settings.autoSave ? user.id : null}
        optionLimits={optionLimits}
        quality={quality}
        untilQualitySaved={untilQualitySaved}
        looks={looks}
        optionsOfLook={optionsOfLook}
        onLookApplied={(look, before, onFill) => {
          const usable = optionsOfLook(look, before.options);
          // It only says what was done: without its code, that is seen in the form.
          import('./looks-panel.tsx').then(
            ({ announceLook }) => announceLook({ look, before, usable, optionLimits, onFill }),
            () => {},
          );
        }}
        renderLooksButton={(content) => <LooksButton content={content} />}
        renderProjectPicker={(id, onChange) => <ProjectPicker value={id} onChange={onChange} />}
        limitNote={
          subscription.dailyLimit && <LazyPlanGateMessage gate="DAILY_LIMIT" subscription={subscription} />
        }
        renderPlanGate={renderPlanGate}
        badge={imageProvider === 'local' && <LocalRendererBadge />}
        renderActions={(shown, uses, buttons) => (
          <LazyImageActions
            key={shown.id}
            view={shown}
            uses={uses}
            onDeleted={() => showOthers(shown)}
            onRestored={() => showRestored(shown.id)}
          >
            {buttons}
          </LazyImageActions>
        )}
        renderEdit={(take) => <LazyTakeEditButton view={take} />}
        renderSetActions={(shown) => <LazySetActions takes={shown} />}
        renderHistory={(onShow, product) => (
          <History
            currentId={view?.id ?? null}
            currentSetId={showsSet ? (view?.set.id ?? null) : null}
            product={product}
            onShow={onShow}
          />
        )}
      />
    </>
  );
}

/**
 * The generation or the set whose id is in the URL. `view` is null for none, undefined while it is loading, and the
 * first take of a set. `missingId`: of a generation that is not there, or is in the trash.
 */
function useShownGeneration() {
  const [query, setQuery] = useSearchParams();
  const shownSetId = query.get('set');
  const shownId = shownSetId === null ? query.get('generation') : null;
  const { data, error } = useGeneration(shownId);
  const takes = useTakes(shownSetId ?? (data && data.set.size > 1 ? data.set.id : null));
  const { data: list } = useGenerations();

  // So that an earlier image opens at once.
  const hasGenerations = (list?.pages[0]?.generations.length ?? 0) > 0;
  useEffect(() => {
    if (!hasGenerations) return;
    // If that fails, it is loaded again when it is needed.
    for (const code of [generationCode, actionsCode]) void code.preload();
  }, [hasGenerations]);

  // On arrival, a pending generation is shown; only once, so that it stays closed after "Clear".
  const checkedPending = useRef(false);
  useEffect(() => {
    if (list === undefined || checkedPending.current) return;
    checkedPending.current = true;
    const newest = list.pages[0]?.generations[0];
    // Those of a batch are shown on its page.
    if (shownId === null && shownSetId === null && newest?.batchId === null && !hasEnded(newest.state)) {
      setQuery(shownQuery(newest), { replace: true });
    }
  }, [list, shownId, shownSetId, setQuery]);

  const isMissing = error instanceof ApiError && error.code === 'NOT_FOUND';
  // The id of a set that does not exist, or belongs to another seller, is removed from the URL.
  const isSetMissing = shownSetId !== null && takes?.length === 0;
  useEffect(() => {
    if (isSetMissing) setQuery({}, { replace: true });
  }, [isSetMissing, setQuery]);
  const notFound = isMissing || isSetMissing;

  return {
    view:
      notFound || (shownId === null && shownSetId === null) ? null : shownSetId === null ? data : takes?.[0],
    takes: takes ?? [],
    showsSet: shownSetId !== null && !notFound,
    missingId: isMissing ? shownId : null,
    show: (id: string | null) => setQuery(id === null ? {} : { generation: id }, { replace: true }),
    showSet: (id: string) => setQuery({ set: id }, { replace: true }),
  };
}

const trashedCode = createComponentCode(
  async () => (await import('#web/features/library/trashed-notice.tsx')).TrashedNotice,
);

/** Shows nothing until its code is loaded, which few visits need. */
function LazyTrashedNotice(props: ComponentProps<typeof TrashedNotice>) {
  const Loaded = useComponentCode(trashedCode, true);
  return Loaded && <Loaded {...props} />;
}

/** The code of what a seller can do with an image: a seller who comes for the first time has none. */
const actionsCode = createComponentCode(async () => (await import('./image-actions.tsx')).ImageActions);

const setActionsCode = createComponentCode(async () => (await import('./image-actions.tsx')).SetActions);

const takeEditCode = createComponentCode(async () => (await import('./image-actions.tsx')).TakeEditButton);

/** Shows nothing until its code is loaded. */
function LazyTakeEditButton(props: ComponentProps<typeof TakeEditButton>) {
  const Loaded = useComponentCode(takeEditCode, true);
  return Loaded && <Loaded {...props} />;
}

/** Shows nothing until its code is loaded. */
function LazySetActions(props: ComponentProps<typeof SetActions>) {
  const Loaded = useComponentCode(setActionsCode, true);
  return Loaded && <Loaded {...props} />;
}

/** Shows nothing until its code is loaded. */
function LazyImageActions(props: ImageActionsProps) {
  const ImageActions = useComponentCode(actionsCode, true);
  return ImageActions && <ImageActions {...props} />;
}

const code = createComponentCode(
  async () => (await import('#web/features/plan/checkout-return.tsx')).CheckoutReturn,
);

/** Shows nothing until its code is loaded, which few visits need. */
function LazyCheckoutReturn(props: ComponentProps<typeof CheckoutReturn>) {
  const Loaded = useComponentCode(code, true);
  return Loaded && <Loaded {...props} />;
}

/** The quality of new images, which is a setting of the seller, and whether the server has the one that was chosen last. */
function useQuality(value: Settings['imageQuality']) {
  const { mutateAsync } = useChangeSettings();
  const saved = useRef(Promise.resolve(true));
  return {
    quality: {
      value,
      onChange: (imageQuality: Settings['imageQuality']) => {
        const saving = mutateAsync({ imageQuality }).then(
          () => true,
          (error: Error) => {
            toastError(messageOf(error));
            // The quality before is shown again, and is right for what is submitted from now on.
            if (saved.current === saving) saved.current = Promise.resolve(true);
            return false;
          },
        );
        saved.current = saving;
      },
    },
    untilQualitySaved: () => saved.current,
  };
}

const looksDialogCode = createComponentCode(
  async () => (await import('#web/features/looks/looks-dialog.tsx')).LooksDialog,
);

/** Opens the saved looks. */
function LooksButton({ content }: { content: FormContent }) {
  const { Dialog, show, close } = useLoadedDialog(looksDialogCode);
  return (
    <>
      <Button variant="secondary" onClick={show} aria-haspopup="dialog" className="px-4!">
        <Bookmark aria-hidden className="size-4" />
        Looks
      </Button>
      {Dialog && <Dialog form={content} onClose={close} />}
    </>
  );
}

/** Beside images that the local renderer makes, which replaces OpenAI in an installation without an API key. */
function LocalRendererBadge() {
  return (
    <p className="mt-4 ml-auto w-fit rounded-full border border-line px-2.5 py-0.5 text-xs text-ink-soft">
      Local renderer
    </p>
  );
}
