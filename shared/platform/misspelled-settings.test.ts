import { expect, test } from 'vitest';
import { readEnvironment } from './environment.ts';
import { composeVariables } from './known-variables.ts';
import { misspelledSettings } from './misspelled-settings.ts';
import { givenSettings, settingsSchema } from './settings.ts';

const settings = Object.keys(settingsSchema.shape);

test.for([
  ['STRIPE_SECRET_KY', 'STRIPE_SECRET_KEY'],
  ['STRIPE_WEBHOK_SECRET', 'STRIPE_WEBHOOK_SECRET'],
  ['STRIPE_KEY', 'STRIPE_SECRET_KEY'],
  ['MONGODB_URI', 'MONGODB_URL'],
  ['MONGO_URL', 'MONGODB_URL'],
  ['QEUEU_URL', 'QUEUE_URL'],
  ['SESION_SECRET', 'SESSION_SECRET'],
  ['SEALING_KEY', 'SEALING_KEYS'],
  ['OPENAI_APIKEY', 'OPENAI_API_KEY'],
  ['PROVIDER_TIMEOUT', 'PROVIDER_TIMEOUT_MS'],
  ['PROVIDER_MAX_INFLIGHT', 'PROVIDER_MAX_IN_FLIGHT'],
  ['STORAGE_ACCESS_KEY', 'STORAGE_ACCESS_KEY_ID'],
  ['SMTP_PASSWORD', 'SMTP_URL'],
  ['ALERT_MAIL', 'ALERT_ADDRESS'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['TRUST_PROXIES', 'TRUSTED_PROXIES'],
  ['WORKER_CONCURENCY', 'WORKER_CONCURRENCY'],
  ['KEEP_IMAGE_DAYS', 'KEEP_IMAGES_DAYS'],
  ['PUBLIC_UR', 'PUBLIC_URL'],
  ['TRYOUT', 'TRY_OUT'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['PROT', 'PORT'],
  ['stripe_secret_key', 'STRIPE_SECRET_KEY'],
])('%s was meant as %s', ([name, meant]) => {
  expect(misspelledSettings({ [name!]: 'x' }, settings)).toEqual([{ name, meant }]);
});

test('settings, empty variables and those of the system, of Kubernetes and of other programs are no misspellings', () => {
  const names = [
    ...settings,
    ...composeVariables,
    ...'PATH HOME HOSTNAME HOSTTYPE HOSTS PORTS POST PORT0 PORT_8080 USER LOGNAME MAIL SHELL TERM LANG LC_ALL PWD OLDPWD'.split(
      ' ',
    ),
    ...'SHLVL _ TZ EDITOR PAGER DISPLAY LS_COLORS MAILCHECK XDG_SESSION_ID XDG_RUNTIME_DIR SESSION_MANAGER'.split(
      ' ',
    ),
    ...'SSH_CLIENT SSH_CONNECTION SUDO_USER container DEBIAN_FRONTEND UV_THREADPOOL_SIZE MALLOC_ARENA_MAX'.split(
      ' ',
    ),
    ...'NODE_VERSION NODE_OPTIONS NODE_EXTRA_CA_CERTS NODE_PATH YARN_VERSION npm_config_port npm_package_name'.split(
      ' ',
    ),
    ...'HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy SSL_CERT_FILE DOCKER_HOST COMPOSE_PROFILES COMPOSE_PROJECT_NAME'.split(
      ' ',
    ),
    ...'AWS_REGION AWS_ACCESS_KEY_ID AWS_WEB_IDENTITY_TOKEN_FILE OPENAI_ORG_ID OPENAI_PROJECT_ID OTEL_SERVICE_NAME'.split(
      ' ',
    ),
    ...'INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID CREDENTIALS_DIRECTORY STATE_DIRECTORY LOGS_DIRECTORY'.split(
      ' ',
    ),
    ...'NOTIFY_SOCKET LISTEN_PID LISTEN_FDS WATCHDOG_USEC MEMORY_PRESSURE_WATCH CI GITHUB_ACTIONS VITEST'.split(
      ' ',
    ),
    ...'KUBERNETES_SERVICE_HOST KUBERNETES_PORT_443_TCP_ADDR KUBERNETES_SERVICE_PORT_HTTPS'.split(' '),
    ...'PACKSHOT_SERVICE_HOST PACKSHOT_SERVICE_PORT SERVER_SERVICE_PORT_HTTP WORKER_METRICS_PORT_9464_TCP'.split(
      ' ',
    ),
    ...'WORKER_METRICS_SERVICE_HOST STORAGE_SERVICE_HOST STORAGE_PORT_9000_TCP_PROTO MONGODB_SERVICE_PORT_MONGODB'.split(
      ' ',
    ),
    ...'TEST_MONGODB_URL TEST_QUEUE_URL REDIS_URL DATABASE_URL JWT_SECRET MONGO_MAJOR MONGO_INITDB_ROOT_PASSWORD'.split(
      ' ',
    ),
  ];
  expect(misspelledSettings(Object.fromEntries(names.map((name) => [name, 'x'])), settings)).toEqual([]);
  const services = { WORKER_PORT: 'tcp://10.0.0.1:80', STORAGE_PORT: 'tcp://10.0.0.2:9000', STRIPE_KEY: '' };
  expect(misspelledSettings(services, settings)).toEqual([]);
});

test('the port of a service that Kubernetes names like a setting is not that setting', () => {
  const environment = readEnvironment();
  environment.METRICS_PORT = 'tcp://10.0.0.3:9090';
  expect(givenSettings()).not.toHaveProperty('METRICS_PORT');
  environment.METRICS_PORT = '9464';
  expect(givenSettings()).toHaveProperty('METRICS_PORT', '9464');
  delete environment.METRICS_PORT;
});
