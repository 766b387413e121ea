import type { RoleName } from '../../../src/commands/role/role.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import type { KubeObject } from '../../../src/simulator/store/kube-object.ts';
import type { Observation } from '../observation.ts';
import { roleOf } from './seed-write.ts';

/** The default of `--leader-elect-lease-duration`, as a drifting clock may measure it. */
export const leaseDuration: Millis = 15_000 * 0.99;

/** When a process first asked, and was shown this version. */
type Shown = Readonly<{ version: number; askedAt: Instant }>;

/**
 * Which version of its Lease each process has been shown, as is certain from outside: whoever asks a second time, and met no fault meanwhile, was answered the
 * first time.
 */
export class LeasesKnown {
  readonly #current: Record<RoleName, number> = { prober: 0, weeder: 0 };
  /** By process: what the answer that is under way shows at least, and what the last one showed. */
  readonly #asked = new Map<string, Shown>();
  readonly #shown = new Map<string, Shown>();

  hear(observation: Observation): void {
    if (observation.kind === 'change' && observation.of === kinds.lease) {
      const { type, revision, resourceVersion } = observation.change;
      this.#current[roleOfLease(revision.object.metadata.name)] = type === 'DELETED' ? 0 : resourceVersion;
    }
    if (observation.kind === 'request' && observation.request.method === 'GET') {
      const { process, request } = observation;
      if (!/\/leases\/[^?]+$/.test(request.url) || observation.to !== undefined) return;
      const before = this.#asked.get(process);
      if (before !== undefined && this.#shown.get(process)?.version !== before.version)
        this.#shown.set(process, before);
      this.#asked.set(process, { version: this.#current[roleOf(process)], askedAt: observation.at });
    }
    if (observation.kind === 'fault' || observation.kind === 'process') {
      const slot = observation.process.split('#')[0];
      for (const process of this.#asked.keys()) if (process.startsWith(`${slot}#`)) this.#asked.delete(process);
    }
  }

  /** Those that a Lease of this version, or none, shows that the seed went back. */
  newerThan(version: number, role: RoleName): ReadonlySet<string> {
    const shown = [...this.#shown].filter(([process, known]) => roleOf(process) === role && known.version > version);
    return new Set(shown.map(([process]) => process));
  }

  /** Whether a process saw this version of the Lease so long ago that the Lease has run out for it. A backup may have brought the version back. */
  hasRunOut(lease: KubeObject | undefined, process: string, now: Instant): boolean {
    const shown = this.#shown.get(process);
    const isSame = shown !== undefined && shown.version === Number(lease?.metadata.resourceVersion);
    return isSame && now - shown.askedAt >= leaseDuration;
  }
}

/** `dwd-prober-leader-election` is the prober's. */
export function roleOfLease(name: string): RoleName {
  return name.includes('weeder') ? 'weeder' : 'prober';
}
