import { Link } from 'react-router-dom';
import { textLinkClass } from '#web/ui/button.tsx';

/** The link below a form that leads back to the sign-in page. */
export function BackToSignIn() {
  return (
    <p className="mt-6 text-center text-ink-soft">
      <Link to="/login" className={textLinkClass}>
        Back to sign in
      </Link>
    </p>
  );
}
