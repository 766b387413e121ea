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
