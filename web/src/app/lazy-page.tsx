import { type ComponentType, type PropsWithChildren, type ReactNode, useEffect, useState } from 'react';

type Page = ComponentType<PropsWithChildren>;

/** The code of a page, which is loaded when the page is first rendered, or before that by `load`. */
export interface PageCode {
  /** Undefined until it is loaded. */
  readonly page: Page | undefined;
  /** Idempotent. @throws the error of the import */
  load(): Promise<Page>;
}

/** @param importPage imports the page's component */
export function createPageCode(importPage: () => Promise<Page>): PageCode {
  let page: Page | undefined;
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

interface LazyPageProps {
  code: PageCode;
  loading: ReactNode;
  /** For a page that is around others. */
  children?: ReactNode;
}

/**
 * Renders a page when its code is loaded, and `loading` until then. An error of the import is thrown while rendering, for
 * the error boundary. Render it with a key for each page.
 *
 * React's `lazy` is not used: Suspense shows what has loaded 300 ms after its fallback at the earliest, and a page inside
 * another one would wait twice.
 */
export function LazyPage({ code, loading, children }: LazyPageProps) {
  const [{ Page, error }, setState] = useState<{ Page?: Page | undefined; error?: unknown }>({
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
  return Page ? <Page>{children}</Page> : loading;
}
