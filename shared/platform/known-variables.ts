/** Variables that are no settings although their names look like some, and that somebody means. */

/** Those of docker-compose.yml, which are in the same `.env`. */
export const composeVariables = [
  'BACKUP_EVERY_HOURS',
  'BACKUP_FOLDER',
  'BACKUP_KEEP',
  'CADDY_IMAGE',
  'ENV_FILE',
  'MAIL_PORT',
  'MONGO_IMAGE',
  'MONGODB_PASSWORD',
  'NODE_IMAGE',
  'REDIS_IMAGE',
  'REDIS_PASSWORD',
  'SERVER_IMAGE',
  'STRIPE_PORT',
  'WORKER_IMAGE',
] as const;

/**
 * Whether Kubernetes or Docker has set a variable for a service: a service named `storage` brings `STORAGE_PORT`,
 * `STORAGE_SERVICE_HOST` and more.
 */
export const isOfService = (name: string, value: string) =>
  /_SERVICE_(?:HOST|PORT)(?:_[A-Z0-9_]+)?$|_PORT_\d+_(?:TCP|UDP)(?:_(?:ADDR|PORT|PROTO))?$/.test(name) ||
  (/PORT$/.test(name) && /^(?:tcp|udp):\/\//.test(value));
