#!/bin/sh
# The profile `backup` of docker-compose.yml: a backup now, and then one every BACKUP_EVERY_HOURS. First the database, then
# the files, so that no row names a file that the backup does not have (docs/runbook.md#back-up).
#
#   backup.sh        runs until it is ended
#   backup.sh once   makes one backup and ends with 1 if it failed
#
# In the backup folder: database/TIME.archive.gz for mongorestore; storage/ with the files; removed/ with files that the
# storage no longer has, which are kept as long as the database's archives.
set -eu

to=${BACKUP_TO:-/backups}
from=${BACKUP_FROM:-/data}
every_hours=${BACKUP_EVERY_HOURS:-24}
keep_days=${BACKUP_KEEP_DAYS:-14}

if [ "${1:-}" != once ]; then
  trap 'exit 0' TERM INT
  while :; do
    # Another process: `set -e` counts for nothing in a command that is followed by ||.
    sh "$0" once || echo 'backup: FAILED'
    sleep "$((every_hours * 3600))" &
    wait $!
  done
fi

mkdir -p "$to/database" "$to/storage" "$to/removed"
archive=$to/database/$(date -u +%Y-%m-%dT%H-%M-%SZ).archive.gz
mongodump --quiet --uri="$MONGODB_URL" --gzip --archive="$to/database/unfinished"
mv "$to/database/unfinished" "$archive"

case "${STORAGE_URL:-file:$from}" in
  file:*)
    # Without it the volume is not mounted: everything would count as removed.
    if [ ! -e "$from/.packshot-storage" ]; then
      echo "backup: $from has no marker .packshot-storage: is the storage mounted?" >&2
      exit 1
    fi
    copy() {
      for entry in "$from"/.packshot-storage "$from"/*; do
        # Uploads that are not complete.
        if [ ! -e "$entry" ] || [ "$entry" = "$from/incoming" ]; then continue; fi
        cp -a -u "$entry" "$to/storage/" || return 1
      done
    }
    # Again: a file that somebody deletes meanwhile is not listed the second time.
    copy || copy
    cd "$to/storage"
    find . -type f | while IFS= read -r file; do
      if [ -e "$from/$file" ]; then continue; fi
      mkdir -p "$to/removed/$(dirname "$file")"
      mv "$file" "$to/removed/$file"
    done
    ;;
  *) echo 'backup: the storage is a bucket, which has to keep its own versions; only the database is in this backup' ;;
esac

find "$to/database" -name '*.archive.gz' -mtime "+$keep_days" -delete
# A rename changes the time of the entry (ctime) and not that of the content.
find "$to/removed" -type f -ctime "+$keep_days" -delete
touch "$to/.last"
echo "backup: $archive"
