/** Where a browser on this machine finds the page. A server that listens on all addresses listens on this one, too. */
export function pageLink(host: string | undefined, port: number): string {
  const reached = host === undefined || host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/`;
}
