import { useParams } from 'react-router-dom';
import { ActionList } from '#web/features/operator-log/action-list.tsx';
import { SellerPage } from '#web/features/operator-sellers/seller-page.tsx';

/** One seller, with what operators did with the account. */
export function OperatorSellerPage() {
  const { id = '' } = useParams();
  return <SellerPage key={id} id={id} log={<ActionList target={id} />} />;
}
