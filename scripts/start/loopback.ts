/** Which addresses only this machine can reach. */

const loopbackHosts = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);

/** Whether a host is a loopback address: no other machine reaches a server that listens there. */
export function isLoopback(host: string): boolean {
  return loopbackHosts.has(host.toLowerCase());
}

/** Whether every server in a MongoDB URL has a loopback address. */
export function isMongoOnLoopback(mongodbUrl: string): boolean {
  const servers = /^mongodb:\/\/(?:[^/]*@)?([^/?]+)/.exec(mongodbUrl)?.[1];
  return servers?.split(',').every((server) => isLoopback(server.replace(/:\d+$/, ''))) ?? false;
}
