import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

type Found = Parameters<LookupFunction>[2];

/**
 * Looks a name up once for all who ask while the answer is still out; nothing is kept beyond it. The system's resolver
 * cannot be called off: without this, each probe of an outage of DNS would leave one more look-up in the queue of its few
 * threads, until no shoot's name is resolved for long after DNS is back.
 */
export function joinedLookup(lookup: LookupFunction = systemLookup): LookupFunction {
  const waiting = new Map<string, Found[]>();
  return (name, options, found) => {
    const key = `${name} ${JSON.stringify(options)}`;
    const others = waiting.get(key);
    if (others !== undefined) {
      others.push(found);
      return;
    }
    const asking = [found];
    waiting.set(key, asking);
    lookup(name, options, (...answer) => {
      waiting.delete(key);
      for (const each of asking) each(...answer);
    });
  };
}
