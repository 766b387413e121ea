import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page from elsewhere asks, in the browser of somebody who may. It cannot read the answer, but it could let it be made again and again, and
 * leave it standing. A browser says who asks; a program says nothing. A link that somebody follows is let through.
 */
export function asksForForeignPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return false;
  return headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document';
}
