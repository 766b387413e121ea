import { defer, Observable, repeat, Subject, type Subscription } from 'rxjs';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { leaseNameOf, microTime, usualLeaseNamespace } from 'dependency-watchdog/adapters/election/lease-record.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Log } from 'dependency-watchdog/adapters/record/log/log.ts';
import type { Chance, Clock } from 'dependency-watchdog/effects/ports.ts';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import {
  runRoleInProcess,
  type RoleInProcess,
  type TurnOf,
} from 'dependency-watchdog/commands/role/run-role-in-process.ts';
import type { EmbeddedSeed } from '../../../embedded-seed.ts';
import { kinds } from '../../../store/embedded-kinds.ts';
import { editObject } from '../../../store/object-edits.ts';
import { createObject } from '../../../store/object-writes.ts';
import { objectKey } from '../../../store/revision.ts';
import { writtenKubeconfig, type Places } from './places.ts';

export type SimulatedRoleOptions<Name extends RoleName> = Pick<RoleInProcess<Name>, 'config'> &
  Readonly<{
    name: Name;
    /** The user that the seed sees. */
    user: string;
    /** Flags of the role, beside those that say where it serves and writes. */
    args?: readonly string[];
    clock: Clock;
    chance: Chance;
    seed: EmbeddedSeed;
    journalDir: string | undefined;
    /** Takes messages that are in no turn. */
    remark: (text: string) => void;
  }>;

/** Ports that are free, on which nobody else's machine can ask. */
const freePorts = ['metrics', 'health', 'inspector'].map((what) => `--${what}-bind-addr=127.0.0.1:0`);

/** A role on an embedded seed, as it is on any other, but for the election: it leads. All is served at once, before the role runs. */
export async function simulatedRole<Name extends RoleName>({
  name,
  user,
  config,
  clock,
  chance,
  seed,
  journalDir,
  remark,
  args = [],
}: SimulatedRoleOptions<Name>) {
  const turns = new Subject<TurnOf[Name]>();
  const role = runRoleInProcess(name, {
    config,
    seed: seed.admit(user),
    args: [...freePorts, ...args, ...(journalDir === undefined ? [] : [`--journal-dir=${journalDir}`])],
    surroundings: { clock, steady: clock, chance },
    hearer: {
      log: remarkLog(remark),
      turn: (turn, tell) => {
        tell();
        turns.next(turn);
      },
    },
  });
  const { ports, link = '' } = await role.serve();
  const kubeconfig = await writtenKubeconfig(seed.kubeconfig);
  const lease = heldLease(seed, name);
  let ended: Promise<unknown> | undefined;
  return {
    /** It runs while this is subscribed to; once. */
    turns$: new Observable<TurnOf[Name]>((observer) => {
      observer.add(turns.subscribe(observer));
      ended = role.run();
      return () => role.end('the story is over');
    }),
    places: {
      kubeconfig: kubeconfig.path,
      metrics: `http://127.0.0.1:${ports.metrics}/metrics`,
      health: `http://127.0.0.1:${ports.health}`,
      journal: `http://127.0.0.1:${ports.inspector}/journal`,
      inspector: link,
    } satisfies Places,
    /** Nothing of it is left then, on the disk or on the network. */
    async close(): Promise<void> {
      lease.unsubscribe();
      await ended;
      await kubeconfig[Symbol.asyncDispose]();
    },
  };
}

const renewEvery: Millis = 2_000;

/**
 * The Lease that the role would hold by an election, so that \`status\` finds who leads. It is renewed in real time: who reads it
 * goes by that, however fast the story's clock runs.
 */
function heldLease({ api: { storage } }: EmbeddedSeed, name: RoleName): Subscription {
  const metadata = { name: leaseNameOf(name), namespace: usualLeaseNamespace };
  const acquireTime = microTime(systemClock.now());
  const spec = () => ({
    holderIdentity: `simulated-${name}_1`,
    leaseDurationSeconds: 15,
    acquireTime,
    renewTime: microTime(systemClock.now()),
    leaseTransitions: 0,
  });
  // Of a chance of its own: two seeds that are equal have to stay so.
  createObject({ ...storage, chance: seededChance(0) }, kinds.lease, { metadata, spec: spec() }, metadata.namespace);
  const key = objectKey(metadata.namespace, metadata.name);
  return defer(() => systemClock.wakeAt(systemClock.now() + renewEvery))
    .pipe(repeat())
    .subscribe(() => editObject(storage, kinds.lease, key, { spec: spec() }));
}

const nothing = (): void => undefined;

/** The kind of line that tells the end of a trouble, where it is another than that of the trouble. */
const troubleOf: Readonly<Record<string, string>> = { 'watches again': 'cannot watch' };

/**
 * A log whose warnings and errors become sentences of the story, and so does the line that tells their end. The rest would only repeat
 * what the story tells.
 */
export function remarkLog(remark: (text: string) => void): Log {
  const troubles = new Set<unknown>();
  const say: Log['warn'] = (message, { line, stream, object, observer, problem, error } = {}) => {
    if (line !== undefined) troubles.add(line);
    const what = [message, stream, object, observer].filter((name) => typeof name === 'string').join(', ');
    const why = error instanceof Error ? error.message : problem;
    remark(typeof why === 'string' ? `${what}: ${why}` : what);
  };
  const sayEnd: Log['info'] = (message, { line } = {}) => {
    if (troubles.delete(troubleOf[String(line)] ?? line)) remark(message);
  };
  const isSaid = new Set(['warn', 'error', 'info']);
  return { debug: nothing, info: sayEnd, warn: say, error: say, writes: (level) => isSaid.has(level) };
}
