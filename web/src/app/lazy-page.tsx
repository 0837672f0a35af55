import type { ComponentType, PropsWithChildren, ReactNode } from 'react';
import { type ComponentCode, createComponentCode, useComponentCode } from '#web/lib/component-code.ts';

/** The code of a page, which is loaded when the page is first rendered, or before that by `load`. */
export type PageCode = ComponentCode<PropsWithChildren>;

/** @param importPage imports the page's component */
export function createPageCode(importPage: () => Promise<ComponentType<PropsWithChildren>>): PageCode {
  return createComponentCode(importPage);
}

interface LazyPageProps {
  code: PageCode;
  loading: ReactNode;
  /** For a page that is around others. */
  children?: ReactNode;
}

/**
 * Renders a page when its code is loaded, and `loading` until then. An error of the import is thrown while rendering, for
 * the error boundary. Render it with a key for each page.
 */
export function LazyPage({ code, loading, children }: LazyPageProps) {
  const Page = useComponentCode(code, true);
  return Page ? <Page>{children}</Page> : loading;
}
