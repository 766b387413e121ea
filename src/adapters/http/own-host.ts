import { isIP } from 'node:net';

/**
 * Whether a Host header can be that of somebody who meant us: `localhost` or a bare IP address. A web page that made a
 * name of its own point to this machine (DNS rebinding) sends that name, and must not read what is served here.
 */
export function isOwnHost(header: string): boolean {
  const [, bracketed, plain = ''] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*))(?::\d{1,5})?$/.exec(header) ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  return plain.toLowerCase() === 'localhost' || isIP(plain) === 4;
}
