import { Observable, Subject } from 'rxjs';
import type { Log } from 'dependency-watchdog/adapters/record/log/log.ts';
import type { Chance, Clock } from 'dependency-watchdog/effects/ports.ts';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import {
  runRoleInProcess,
  type RoleInProcess,
  type TurnOf,
} from 'dependency-watchdog/commands/role/run-role-in-process.ts';
import type { EmbeddedSeed } from '../../../embedded-seed.ts';
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
      await ended;
      await kubeconfig[Symbol.asyncDispose]();
    },
  };
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
