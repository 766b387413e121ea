import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** A name for this process in an election, as client-go makes it: who looks at the Lease finds the pod by it (SPEC 8). */
export function candidateIdentity(): string {
  return `${hostname()}_${randomUUID()}`;
}
