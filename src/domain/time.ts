/** Milliseconds since the epoch, as the injected clock tells it. May carry a fraction. */
export type Instant = number & { readonly __unit?: 'instant' };

/** A length of time in milliseconds, never negative. */
export type Millis = number & { readonly __unit?: 'millis' };

/** The earliest of the instants that there are; undefined where there is none. */
export function earliest(instants: readonly (Instant | undefined)[]): Instant | undefined {
  const known = instants.filter((at) => at !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Reads an RFC 3339 instant as Kubernetes writes it (`2026-11-21T20:07:57.123456Z`); undefined where it is none. */
export function readInstant(text: unknown): Instant | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
