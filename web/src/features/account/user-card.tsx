import type { UserView } from '../../../../shared/contract/index.ts';

const dateFormat = new Intl.DateTimeFormat('en', { dateStyle: 'long' });

/** Name, email and since when. */
export function UserCard({ user }: { user: UserView }) {
  const rows = [
    ['Name', user.fullName || user.displayName],
    ['Email', user.email],
    ['Member since', dateFormat.format(new Date(user.memberSince))],
  ] as const;
  return (
    <section
      aria-labelledby="user-heading"
      className="rounded-card border border-line bg-surface p-5 shadow-card sm:p-7"
    >
      <h2 id="user-heading" className="text-lg font-semibold">
        Your account
      </h2>
      <dl className="mt-4 grid gap-4">
        {rows.map(([label, value]) => (
          <div key={label} className="grid gap-0.5">
            <dt className="text-sm text-ink-soft">{label}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
