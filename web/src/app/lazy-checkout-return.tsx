import type { ComponentProps } from 'react';
import type { CheckoutReturn } from '#web/features/plan/checkout-return.tsx';
import { createComponentCode, useComponentCode } from '#web/lib/component-code.ts';

const code = createComponentCode(
  async () => (await import('#web/features/plan/checkout-return.tsx')).CheckoutReturn,
);

/** Shows nothing until its code is loaded, which few visits need. */
export function LazyCheckoutReturn(props: ComponentProps<typeof CheckoutReturn>) {
  const Loaded = useComponentCode(code, true);
  return Loaded && <Loaded {...props} />;
}
