import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/** The code of a page, which is loaded when the page is first rendered, or before that by `load`. */
export interface PageCode {
  /** Undefined until it is loaded. */
  readonly page: ComponentType | undefined;
  /** Idempotent. @throws the error of the import */
  load(): Promise<ComponentType>;
}

/** @param importPage imports the page's component */
export function createPageCode(importPage: () => Promise<ComponentType>): PageCode {
  let page: ComponentType | undefined;
  const load = async () => {
    page ??= await importPage();
    return page;
  };
  return {
    get page() {
      return page;
    },
    load,
  };
}

/**
 * Renders a page when its code is loaded, and `loading` until then. An error of the import is thrown while rendering, for
 * the error boundary. Render it with a key for each page.
 *
 * React's `lazy` is not used: Suspense shows what has loaded 300 ms after its fallback at the earliest, and a page inside
 * another one would wait twice.
 */
export function LazyPage({ code, loading }: { code: PageCode; loading: ReactNode }) {
  const [{ Page, error }, setState] = useState<{ Page?: ComponentType | undefined; error?: unknown }>({
    Page: code.page,
  });
  useEffect(() => {
    if (Page) return;
    let isUnmounted = false;
    code.load().then(
      (Page) => !isUnmounted && setState({ Page }),
      (error) => !isUnmounted && setState({ error }),
    );
    return () => {
      isUnmounted = true;
    };
  }, [code, Page]);
  if (error !== undefined) throw error;
  return Page ? <Page /> : loading;
}
