/** The tables of the store. */
export const schema = `
  CREATE TABLE IF NOT EXISTS objects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    customer TEXT,
    owner TEXT,
    due INTEGER,
    body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS objects_by_kind ON objects (kind, seq);
  CREATE INDEX IF NOT EXISTS objects_by_customer ON objects (customer, kind, seq) WHERE customer IS NOT NULL;
  CREATE INDEX IF NOT EXISTS objects_by_owner ON objects (owner, kind, seq) WHERE owner IS NOT NULL;
  CREATE INDEX IF NOT EXISTS objects_by_due ON objects (due, seq) WHERE due IS NOT NULL;
  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL,
    type TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    url TEXT NOT NULL,
    state TEXT NOT NULL,
    next_at INTEGER NOT NULL,
    attempts TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS deliveries_pending ON deliveries (next_at) WHERE state = 'pending';
  CREATE INDEX IF NOT EXISTS deliveries_by_event ON deliveries (event);
  CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    request_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS replies_by_age ON replies (at);
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
`;
