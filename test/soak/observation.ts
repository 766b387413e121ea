import type { Instant, Millis } from '../../src/domain/time.ts';
import type { ShootNamespace } from '../../src/domain/names.ts';
import type { Turn } from '../../src/effects/turn.ts';
import type { Change } from '../../src/simulator/store/collection.ts';
import type { ResourceKind } from '../../src/simulator/store/resource-kind.ts';
import type { MemoryRequest } from '../../src/simulator/memory/memory-api-server.ts';
import type { Happening } from './happening.ts';
import type { Moment } from './director.ts';

/** `prober-0`: one of the replicas of a role. */
export type SlotName = `${'prober' | 'weeder'}-${number}`;

/** Something that was seen of a simulated life, at an instant of the world's clock. The laws judge by these, and the story tells them. */
export type Observation = Readonly<{ at: Instant }> & Seen;

type Seen =
  /** An object of the seed changed. `change.writer` names the process, as `SLOT#INCARNATION`, unless a controller or an operator did it. */
  | Readonly<{ kind: 'change'; of: ResourceKind; change: Change }>
  /** A machine of a process took a turn. */
  | Readonly<{ kind: 'turn'; process: string; turn: Turn }>
  | Readonly<{ kind: 'process'; slot: SlotName; process: string; did: ProcessDeed; why?: string }>
  /** A process sent a request; `to` is the shoot, undefined for the seed. */
  | Readonly<{ kind: 'request'; process: string; to: ShootNamespace | undefined; request: MemoryRequest }>
  /** The seed has answered a process with 429, and has asked it to wait for so long. */
  | Readonly<{ kind: 'throttled'; process: string; request: MemoryRequest; retryAfter: Millis }>
  | Readonly<{ kind: 'happening'; happening: Happening }>
  /** A node was marked: the meltdown itself. */
  | Readonly<{ kind: 'marked'; shoot: ShootNamespace; node: string }>
  /** A Machine whose node was marked for too long is about to be replaced. */
  | Readonly<{ kind: 'replaced'; shoot: ShootNamespace; node: string }>
  /** A fault truly struck a request or a watch: `seed: lost`, `shoot: garbled`. */
  | Readonly<{ kind: 'fault'; name: string; process: string; shoot?: ShootNamespace }>
  /** A crash or a pause that was directed at one point. */
  | Readonly<{ kind: 'blow'; process: string; moment: Moment; did: 'crashed' | 'paused' }>
  /** The weather has ended: from now on nothing fails. */
  | Readonly<{ kind: 'calm' }>
  /** A bug of the program: an error that nobody caught. */
  | Readonly<{ kind: 'bug'; error: string }>;

/** `ended` with a code, as Kubernetes sees it. */
export type ProcessDeed = 'started' | 'crashed' | 'paused' | 'resumed' | 'told to end' | 'ended';
