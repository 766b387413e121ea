import process from 'node:process';
import { catchError, EMPTY, type Observable } from 'rxjs';
import { knowServer } from '../../adapters/credentials/credentials.ts';
import type { ProberConfig } from '../../domain/prober/prober-config.ts';
import type { WeederConfig } from '../../domain/weeder/weeder-config.ts';
import type { ShootTurn, Turn, WeederTurn } from '../../effects/turn.ts';
import { readBuild } from '../build.ts';
import type { Observed } from './observe-role.ts';
import type { Listening } from './open-servers.ts';
import { prober } from './prober-role.ts';
import { readRoleFlags } from './role-flags.ts';
import { roleProcess, type Heard } from './role-process.ts';
import type { Role, RoleName } from './role.ts';
import type { Surroundings } from './surroundings.ts';
import { weeder } from './weeder-role.ts';

export type ConfigOf = Readonly<{ prober: ProberConfig; weeder: WeederConfig }>;
export type TurnOf = Readonly<{ prober: ShootTurn; weeder: WeederTurn }>;

const roles: { readonly [Name in RoleName]: Role<ConfigOf[Name], TurnOf[Name]> } = { prober, weeder };

/** What a guest hears of the role that it runs. */
export type Hearer<OwnTurn extends Turn = Turn> = Omit<Heard, 'observed'> &
  Readonly<{
    /** Gets each turn before its commands are carried out. `tell` tells the program's own observers. */
    turn?: (turn: OwnTurn, tell: () => void) => void;
    /** Called after the program's own. */
    hooks?: Partial<
      Pick<Hooks, 'onSeedRequest' | 'onRequestThrottled' | 'onRequestHeld' | 'onShootRequest' | 'onStreamNotice'>
    >;
    /** A bug that no supervision can contain. Unless heard, it ends the process. */
    failed?: (error: unknown) => void;
  }>;

type Hooks = Observed['hooks'];

export type RoleInProcess<Name extends RoleName> = Readonly<{
  config: ConfigOf[Name];
  /** Where the seed is, asked whenever the program reads its credentials, and the token and the authority by which it is spoken to. */
  seed: Readonly<{ server: string; token: string; ca: string }>;
  /** Flags as on the command line. Without any, nothing is served and nobody is elected. */
  args?: readonly string[];
  surroundings: Surroundings;
  hearer?: Hearer<TurnOf[Name]>;
}>;

export type RunningRole = Readonly<{
  /** Serves metrics, health and the page where the flags say; before it starts, so that nothing is missed. */
  serve(): Promise<Listening>;
  /** Runs until it is told to end, or ends by itself. Resolves to why, once nothing of it is left. */
  run(): Promise<string>;
  /** As a signal does it: no request leaves any more. */
  end(why: string): void;
  /** What its journal holds in memory. */
  journal(): Iterable<Buffer>;
  /** As they are served. */
  metrics(): Promise<string>;
  /** Bytes of its log that its output has not taken yet. */
  backlog(): number;
}>;

/**
 * A whole role within the process of a guest, who says what it gets from outside, and hears what it does: for `simulate`, for whole
 * seeds in virtual time, and for tests. It is put together as `runRole` does it, except that configuration, credentials and signals are given.
 */
export function runRoleInProcess<Name extends RoleName>(
  name: Name,
  { config, seed, args = [], surroundings, hearer = {} }: RoleInProcess<Name>,
): RunningRole {
  const off = ['metrics', 'health', 'inspector'].map((what) => `--${what}-bind-addr=0`);
  const read = readRoleFlags(name, ['--config-file=given', ...off, ...args]);
  if (!read.ok) throw new Error(read.message);
  const credentials = knowServer({
    origin: 'the process that it runs in',
    read: async () => ({
      server: seed.server,
      headers: { authorization: `Bearer ${seed.token}` },
      tls: { ca: seed.ca },
    }),
  });
  const orders = { flags: read.flags, config, warnings: [], credentialWarnings: [], credentials };
  const observed = (own: Observed): Observed => heardBy(hearer, own);
  const around = { ...hearer, observed };
  const role = roleProcess(failing(roles[name], hearer.failed), orders, readBuild(process.env), surroundings, around);
  const signal = Promise.withResolvers<string>();
  return {
    serve: role.serve,
    run: () => role.act(signal.promise),
    end: signal.resolve,
    journal: () => role.observed.journal.chapters(),
    metrics: () => role.observed.metrics.text(),
    backlog: () => role.lines.backlog,
  };
}

function failing<Config, OwnTurn extends Turn>(
  role: Role<Config, OwnTurn>,
  failed: ((error: unknown) => void) | undefined,
): Role<Config, OwnTurn> {
  if (failed === undefined) return role;
  return {
    ...role,
    assemble(parts) {
      const assembled = role.assemble(parts);
      const caught = catchError<OwnTurn, Observable<never>>((error: unknown) => {
        failed(error);
        return EMPTY;
      });
      return { ...assembled, turns: (leads$) => assembled.turns(leads$).pipe(caught) };
    },
  };
}

function heardBy<OwnTurn extends Turn>({ turn: hear, hooks = {}, log }: Hearer<OwnTurn>, own: Observed): Observed {
  return {
    ...own,
    hooks: bothCalled(own.hooks, hooks),
    observer(more) {
      // A log that a guest gives gets what is in no turn, since the guest hears the turns themselves.
      const tell = own.observer({ ...more, ...(log && { log: () => undefined }) });
      return hear === undefined ? tell : (turn) => hear(turn as OwnTurn, () => tell(turn));
    },
  };
}

function bothCalled(own: Hooks, more: NonNullable<Hearer['hooks']>): Hooks {
  return {
    ...own,
    onSeedRequest: both(own.onSeedRequest, more.onSeedRequest),
    onRequestThrottled: both(own.onRequestThrottled, more.onRequestThrottled),
    onRequestHeld: both(own.onRequestHeld, more.onRequestHeld),
    onShootRequest: both(own.onShootRequest, more.onShootRequest),
    onStreamNotice: both(own.onStreamNotice, more.onStreamNotice),
  };
}

function both<Seen extends readonly unknown[]>(first: (...seen: Seen) => void, second?: (...seen: Seen) => void) {
  return (...seen: Seen): void => {
    first(...seen);
    second?.(...seen);
  };
}
