import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { ShootNamespace, RoleName } from 'dependency-watchdog/domain/names.ts';
import type { ShootTurn, Turn } from 'dependency-watchdog/effects/turn.ts';
import type { Change } from '@dwd/simulator/store/collection.ts';
import type { ResourceKind } from '@dwd/simulator/store/resource-kind.ts';
import type { MemoryRequest } from '@dwd/simulator/memory/memory-api-server.ts';
import type { Happening } from './happening.ts';

/** `prober-0`: one of the replicas of a role. */
export type SlotName = `${RoleName}-${number}`;

/** `prober-0#3` is a prober, and so is `prober-0`. */
export function roleOf(process: string): RoleName {
  return process.startsWith('weeder') ? 'weeder' : 'prober';
}

/** `prober-0#3` runs in the slot `prober-0`. */
export function slotOf(process: string): string {
  return process.split('#')[0] ?? '';
}

/** Something that was seen of a simulated life, at an instant of the world's clock. The laws judge by these, and the story tells them. */
export type Observation = Readonly<{ at: Instant }> & What;

type What =
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

/** A point of a process's life at which it may be struck. */
export type Moment = Readonly<{
  process: string;
  /**
   * Before the request is sent; when it has just been sent; before the head of the answer, or the failure, is known; when the answer was
   * taken; before a piece of a watch is known.
   */
  when: 'before' | 'sent' | 'answer' | 'after' | 'event';
  /** Undefined for the seed. */
  to: ShootNamespace | undefined;
  request: MemoryRequest;
}>;

/** What becomes of a process at a point. A pause lasts so long. */
export type Blow = Readonly<{ kind: 'crash' } | { kind: 'pause'; length: Millis }>;

/** Asked at each point; undefined lets the process go on. */
export type Director = (moment: Moment) => Blow | undefined;

export type Seen<Kind extends Observation['kind']> = Extract<Observation, { kind: Kind }>;

/** What listens to a life hears what it has a name for, in order. */
export type Ears = Readonly<
  Partial<{ [Kind in Observation['kind']]: (seen: Seen<Kind>) => void }> & {
    /** Everything that is observed, before the same is heard by its own name. */
    hear?(seen: Observation): void;
    /** Of the machine of a shoot. */
    shootTurn?(seen: Seen<'turn'> & Readonly<{ turn: ShootTurn }>): void;
    /** Of what can be scaled. */
    dependant?(seen: Seen<'change'>): void;
    /** A write that a process sent to the seed. */
    write?(seen: SeedWrite): void;
  }
>;

export function tellTo(ears: Ears, seen: Observation): void {
  ears.hear?.(seen);
  const hears = ears[seen.kind] as ((this: Ears, one: Observation) => void) | undefined;
  hears?.call(ears, seen);
  if (ears.shootTurn !== undefined && seen.kind === 'turn' && seen.turn.kind === 'shoot')
    ears.shootTurn({ ...seen, turn: seen.turn });
  if (ears.dependant !== undefined && seen.kind === 'change' && seen.of.scale !== undefined) ears.dependant(seen);
  const write = ears.write === undefined ? undefined : seedWriteOf(seen);
  if (write !== undefined) ears.write?.(write);
}

/** What a process asked the seed to change, as its request tells. */
type SeedWrite = Readonly<{ at: number; process: string; role: RoleName; namespace: string; path: string }>;

// The election's own requests decide who leads; events and questions for one's rights change nothing.
const harmless = /\/(leases|events|selfsubjectaccessreviews)(\/|\?|$)/;

/** Undefined for everything else: reads, shoots, the election. */
function seedWriteOf(seen: Observation): SeedWrite | undefined {
  if (seen.kind !== 'request' || seen.to !== undefined || seen.request.method === 'GET') return undefined;
  const { at, process, request } = seen;
  if (harmless.test(request.url)) return undefined;
  const path = request.url.split('?')[0] ?? '';
  return { at, process, role: roleOf(process), namespace: /\/namespaces\/([^/]+)/.exec(path)?.[1] ?? '', path };
}
