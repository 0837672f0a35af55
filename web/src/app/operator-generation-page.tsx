import { useParams } from 'react-router-dom';
import { GenerationPage } from '#web/features/operator-generations/generation-page.tsx';
import { ActionList } from '#web/features/operator-log/action-list.tsx';

/** One generation, with what operators did with it. */
export function OperatorGenerationPage() {
  const { id = '' } = useParams();
  return <GenerationPage key={id} id={id} log={<ActionList target={id} />} />;
}
