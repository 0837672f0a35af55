/** Whether something is reached from this machine alone. */

const loopbackHosts = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);

/** Whether a host is this machine's own loopback address: nobody else reaches a server that listens there. */
export function isLoopback(host: string): boolean {
  return loopbackHosts.has(host.toLowerCase());
}

/** Whether every server that a MongoDB URL names is on this machine. */
export function isMongoOnLoopback(mongodbUrl: string): boolean {
  const servers = /^mongodb:\/\/(?:[^/]*@)?([^/?]+)/.exec(mongodbUrl)?.[1];
  return servers?.split(',').every((server) => isLoopback(server.replace(/:\d+$/, ''))) ?? false;
}
