import { type ComponentType, useEffect, useState } from 'react';
import { loadPart } from './full-load.ts';

/** The code of a component, which is loaded when it is first needed, or before that by `load`. */
export interface ComponentCode<Props> {
  /** Undefined until it is loaded. */
  readonly component: ComponentType<Props> | undefined;
  /** Loads what somebody waits for, or the page anew. Idempotent. @throws the error of the import */
  load(): Promise<ComponentType<Props>>;
  /** Starts loading what may be needed soon; whether that fails, `load` tells. Resolves when it is loaded or failed. */
  preload(): Promise<void>;
}

/** @param importComponent imports the component */
export function createComponentCode<Props>(
  importComponent: () => Promise<ComponentType<Props>>,
): ComponentCode<Props> {
  let component: ComponentType<Props> | undefined;
  const importOnce = async () => {
    component ??= await importComponent();
    return component;
  };
  return {
    get component() {
      return component;
    },
    load: () => loadPart(importOnce),
    preload: () =>
      importOnce().then(
        () => {},
        () => {},
      ),
  };
}

/**
 * A component whose code is loaded later. An error of the import is thrown while rendering, for the error boundary.
 *
 * React's `lazy` is not used: Suspense shows what has loaded 300 ms after its fallback at the earliest, and a page inside
 * another one would wait twice.
 * @param wanted its code is loaded once this is true
 * @returns undefined until it is loaded
 */
export function useComponentCode<Props>(
  code: ComponentCode<Props>,
  wanted: boolean,
): ComponentType<Props> | undefined {
  const [{ Component, error }, setState] = useState<{
    Component?: ComponentType<Props> | undefined;
    error?: unknown;
  }>({ Component: code.component });
  useEffect(() => {
    if (Component || !wanted) return;
    let isUnmounted = false;
    code.load().then(
      (Component) => !isUnmounted && setState({ Component }),
      (error) => !isUnmounted && setState({ error }),
    );
    return () => {
      isUnmounted = true;
    };
  }, [code, Component, wanted]);
  if (error !== undefined) throw error;
  return Component;
}
