import { OperatorHeading } from '#web/ui/operator-heading.tsx';
import { ActionList } from './action-list.tsx';

/** The audit log. */
export function LogPage() {
  return (
    <>
      <OperatorHeading>Audit log</OperatorHeading>
      <ActionList />
    </>
  );
}
