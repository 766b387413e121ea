import { isIP } from 'node:net';
import type { Journal } from '../record/journal/journal.ts';
import type { Metrics } from '../record/metrics/metrics.ts';
import type { Route } from './http-server.ts';
import type { Instant, Millis } from '../../domain/time.ts';

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

/** Prometheus asks every 15 to 60 s. Who asks more often than this gets the last rendering. */
const leastPause: Millis = 1_000;

/**
 * Renders once at a time, for all who ask meanwhile, and at most once a second (SPEC 9.2): a rendering stops the event
 * loop for some milliseconds, and anybody who reaches the address can ask at will. A failed rendering is not shared.
 */
export function sharedRendering(
  clock: Readonly<{ now(): Instant }>,
  render: () => Promise<string>,
): () => Promise<string> {
  let last: Readonly<{ at: Instant; text: Promise<string> }> | undefined;
  let rendering = false;

  return () => {
    const age = last === undefined ? Infinity : clock.now() - last.at;
    // Where the clock was set back, the old text must not stay for long.
    if (last !== undefined && (rendering || (age >= 0 && age < leastPause))) return last.text;
    rendering = true;
    const text = render().finally(() => (rendering = false));
    const begun = { at: clock.now(), text };
    last = begun;
    text.catch(() => {
      if (last === begun) last = undefined;
    });
    return text;
  };
}
