import { Link, useParams } from 'react-router-dom';
import { pages } from '#contract';
import { ActionList } from '#web/features/operator-log/action-list.tsx';
import { SellerPage } from '#web/features/operator-sellers/seller-page.tsx';
import { textLinkClass } from '#web/ui/button.tsx';

/** One seller, with what operators did with the account. */
export function OperatorSellerPage() {
  const { id = '' } = useParams();
  const generations = (
    <Link to={`${pages.operator}/generations?seller=${id}`} className={textLinkClass}>
      Generations
    </Link>
  );
  return <SellerPage key={id} id={id} links={generations} log={<ActionList target={id} />} />;
}
