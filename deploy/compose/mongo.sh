#!/bin/bash
# The service `mongo` of docker-compose.yml: a replica set of one member. A standalone server has no snapshots, from which
# `npm run backup` reads all collections as they were at one moment while everything runs.
#
#   mongo.sh           starts the server
#   mongo.sh healthy   ends with 0 if it takes writes; makes the replica set if there is none
set -eu

if ! command -v mongod >/dev/null; then
  # The image of the stand-ins, which has a standalone server.
  if [ "${1:-}" != healthy ]; then exec node scripts/containers/serve.ts mongo; fi
  exec 3<>/dev/tcp/127.0.0.1/27017
  exit
fi

if [ "${1:-}" = healthy ]; then
  # A new volume first has a server for a moment that makes the user: it is no member, and not healthy.
  exec mongosh --quiet --norc admin --eval '
    db.auth(process.env.MONGO_INITDB_ROOT_USERNAME, process.env.MONGO_INITDB_ROOT_PASSWORD);
    const notYetInitialized = 94, primary = 1;
    let state;
    try {
      state = rs.status().myState;
    } catch (error) {
      if (error.code !== notYetInitialized) quit(1);
      rs.initiate({ _id: "packshot", members: [{ _id: 0, host: "mongo:27017" }] });
    }
    quit(state === primary ? 0 : 1);
  '
fi

# With passwords, members of a set know each other by a key, which nobody else may read. There is one member.
key=${MONGO_KEY_FILE:-/tmp/packshot.key}
rm -f "$key"
(umask 077 && printf 'packshot %s' "$MONGO_INITDB_ROOT_PASSWORD" | sha256sum | cut -c1-64 >"$key")
chown mongodb "$key"
# A backup of the database may take an hour.
exec docker-entrypoint.sh mongod --replSet packshot --keyFile "$key" --setParameter minSnapshotHistoryWindowInSeconds=3600
