import { isIP } from 'node:net';
import type { Journal } from '../journal/journal.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Route } from './http-server.ts';

/** `/metrics`, for Prometheus (SPEC 9.2). */
export function metricsRoutes(metrics: Pick<Metrics, 'text' | 'contentType'>): Readonly<Record<string, Route>> {
  return {
    '/metrics': async () => ({ status: 200, contentType: metrics.contentType, body: await metrics.text() }),
  };
}

/** `/journal`, what memory holds of it, as JSON lines that `replay -` reads (SPEC 9.6). */
export function journalRoutes(journal: Pick<Journal, 'chapters'>): Readonly<Record<string, Route>> {
  return { '/journal': () => ({ status: 200, contentType: 'application/x-ndjson', body: journal.chapters() }) };
}

/**
 * Whether the Host header names this machine: `localhost` or a bare IP address. A web page whose own name points to this
 * machine (DNS rebinding) sends that name, and must not read what is served here.
 */
export function isOwnHost(header: string): boolean {
  const [, bracketed, plain = ''] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*))(?::\d{1,5})?$/.exec(header) ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  return plain.toLowerCase() === 'localhost' || isIP(plain) === 4;
}
