import type { RoleName } from '../../../src/commands/role/role.ts';
import type { Observation } from '../observation.ts';

/** A write that a process sent to the seed, as its request tells. */
export type SeedWrite = Readonly<{ process: string; role: RoleName; namespace: string; path: string }>;

// The election's own requests decide who leads; events and questions for one's rights change nothing.
const harmless = /\/(leases|events|selfsubjectaccessreviews)(\/|\?|$)/;

/** Undefined for everything else: reads, shoots, the election. */
export function seedWriteOf(observation: Observation): SeedWrite | undefined {
  if (observation.kind !== 'request' || observation.to !== undefined || observation.request.method === 'GET')
    return undefined;
  const { process, request } = observation;
  if (harmless.test(request.url)) return undefined;
  const path = request.url.split('?')[0] ?? '';
  return { process, role: roleOf(process), namespace: /\/namespaces\/([^/]+)/.exec(path)?.[1] ?? '', path };
}

/** `prober-0#3` is a prober. */
export function roleOf(process: string): RoleName {
  return process.startsWith('weeder') ? 'weeder' : 'prober';
}
