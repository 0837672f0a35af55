import type { ComponentProps } from 'react';
import type { PlanGateMessage } from '#web/features/plan/plan-gate-message.tsx';
import { createComponentCode, useComponentCode } from '#web/lib/component-code.ts';

const code = createComponentCode(
  async () => (await import('#web/features/plan/plan-gate-message.tsx')).PlanGateMessage,
);

/** Shows nothing until its code is loaded, which a seller with images left does not need. */
export function LazyPlanGateMessage(props: ComponentProps<typeof PlanGateMessage>) {
  const Loaded = useComponentCode(code, true);
  return Loaded && <Loaded {...props} />;
}
