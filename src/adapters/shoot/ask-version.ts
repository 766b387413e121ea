import type { ServedDate } from '../../domain/prober/served-date.ts';
import { BoundedBytes } from './bounded-bytes.ts';
import { garbled } from './probe-failed.ts';
import type { ShootConnection } from './shoot-connection.ts';
import { versionBytes } from './shoot-limits.ts';

/**
 * Asks `/version`, which every authenticated user may (SPEC 4.3). Any 2xx with a JSON object will do, as it does for client-go: what
 * matters is that an API server answers, and not a load balancer in its place. Gives the date of the answer, a second opinion on what
 * time it is (SPEC 5.1). Rejects with ProbeFailed.
 */
export async function askVersion(connection: ShootConnection): Promise<ServedDate | undefined> {
  const body = new BoundedBytes(versionBytes, 'the answer to /version');
  const served = await connection.get('/version', (chunk) => body.add(chunk));
  if (!isJsonObject(body.take())) throw garbled('the answer to /version is no JSON object');
  return served;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
