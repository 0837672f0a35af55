/** Milliseconds until a carousel moves by itself; every move starts them again. */
const advanceMs = 12_000;
/** Milliseconds after a move in which a carousel does not move again. */
const lockMs = 5_000;

/** Why a carousel does not move by itself. `paused`: with its button. `not-shown`: scrolled away, or not displayed. */
export type HoldReason = 'paused' | 'hover' | 'focus' | 'hidden-tab' | 'not-shown' | 'reduced-motion';

export interface RotationState {
  /** The slide in the centre, from 0. */
  readonly index: number;
  /** Whether a move was made less than `lockMs` ago: moves are ignored. */
  readonly locked: boolean;
  /** Whether the visitor paused it with its button. */
  readonly paused: boolean;
  /** Whether the visitor made the last move. */
  readonly movedByVisitor: boolean;
}

/** Which slide of a carousel is in the centre, and when that changes. */
export interface Rotation {
  getState(): RotationState;
  /** @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
  /** Moves by a number of slides, backwards if it is negative. Ignored while locked. */
  move(by: number): void;
  /** Adds or removes a reason not to move by itself. Without any reason left, `advanceMs` start again. */
  hold(reason: HoldReason, held: boolean): void;
  /** Pauses, or continues; continuing also overrides `hover` and `focus` until they begin again. */
  togglePaused(): void;
  /** Ends all timers. It can be used again afterwards. */
  stop(): void;
}

/** @param count the number of slides. The rotation is not shown at first, so it does not move by itself. */
export function createRotation(count: number): Rotation {
  let state: RotationState = { index: 0, locked: false, paused: false, movedByVisitor: false };
  const holds = new Set<HoldReason>(['not-shown']);
  const listeners = new Set<() => void>();
  let advanceTimer: ReturnType<typeof setTimeout> | undefined;
  let lockTimer: ReturnType<typeof setTimeout> | undefined;

  const change = (changes: Partial<RotationState>) => {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  };
  const restartAdvanceTimer = () => {
    clearTimeout(advanceTimer);
    advanceTimer = holds.size > 0 ? undefined : setTimeout(() => makeMove(1, false), advanceMs);
  };
  const makeMove = (by: number, movedByVisitor: boolean) => {
    if (state.locked || by % count === 0) return;
    clearTimeout(lockTimer);
    lockTimer = setTimeout(() => change({ locked: false }), lockMs);
    restartAdvanceTimer();
    change({ index: (((state.index + by) % count) + count) % count, locked: true, movedByVisitor });
  };
  const changeHolds = (changeSet: () => void) => {
    const wasHeld = holds.size > 0;
    changeSet();
    if (holds.size > 0 !== wasHeld) restartAdvanceTimer();
  };

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    move: (by) => makeMove(by, true),
    hold: (reason, held) => changeHolds(() => (held ? holds.add(reason) : holds.delete(reason))),
    togglePaused() {
      const paused = !state.paused;
      changeHolds(() => {
        if (paused) holds.add('paused');
        else for (const reason of ['paused', 'hover', 'focus'] as const) holds.delete(reason);
      });
      change({ paused });
    },
    stop() {
      clearTimeout(advanceTimer);
      clearTimeout(lockTimer);
      holds.add('not-shown');
      if (state.locked) change({ locked: false });
    },
  };
}

/**
 * How far a slide is from the centre along the shorter way round.
 * @returns negative to the left of the centre, positive to the right, from `-count / 2` (exclusive) to `count / 2`
 */
export function offsetFromCentre(slide: number, centre: number, count: number): number {
  const ahead = (((slide - centre) % count) + count) % count;
  return ahead > count / 2 ? ahead - count : ahead;
}
