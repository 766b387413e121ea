import process from 'node:process';
import { knowServer } from '../../adapters/credentials/credentials.ts';
import type { ProberConfig } from '../../domain/prober/prober-config.ts';
import type { WeederConfig } from '../../domain/weeder/weeder-config.ts';
import type { ShootTurn, Turn, WeederTurn } from '../../effects/turn.ts';
import { readBuild } from '../build.ts';
import type { Observed } from './observe-role.ts';
import { prober } from './prober-role.ts';
import { readRoleFlags } from './role-flags.ts';
import { roleProcess, type Heard } from './role-process.ts';
import type { Role } from './role.ts';
import type { RoleName } from '../../domain/names.ts';
import type { Surroundings } from './surroundings.ts';
import { weeder } from './weeder-role.ts';

export type ConfigOf = Readonly<{ prober: ProberConfig; weeder: WeederConfig }>;
export type TurnOf = Readonly<{ prober: ShootTurn; weeder: WeederTurn }>;

const roles: { readonly [Name in RoleName]: Role<ConfigOf[Name], TurnOf[Name]> } = { prober, weeder };

type Hooks = Observed['hooks'];

/** What a guest hears of the role that it runs. */
export type Hearer<OwnTurn extends Turn = Turn> = Omit<Heard, 'observed'> &
  Readonly<{
    /** Gets each turn before its commands are carried out. `tell` tells the program's own observers. */
    turn?: (turn: OwnTurn, tell: () => void) => void;
    /** Called after the program's own. */
    hooks?: Partial<Hooks>;
  }>;

export type RoleInProcess<Name extends RoleName> = Readonly<{
  config: ConfigOf[Name];
  /** Where the seed is, asked whenever the program reads its credentials, and the token and the authority by which it is spoken to. */
  seed: Readonly<{ server: string; token: string; ca: string }>;
  /** Flags as on the command line. Without any, nothing is served and nobody is elected. */
  args?: readonly string[];
  surroundings: Surroundings;
  hearer?: Hearer<TurnOf[Name]>;
}>;

export type RunningRole = ReturnType<typeof runRoleInProcess>;

/**
 * A whole role within the process of a guest, who says what it gets from outside, and hears what it does: for `simulate`, for whole
 * seeds in virtual time, and for tests. It is put together as `runRole` does it, except that configuration, credentials and signals are given.
 */
export function runRoleInProcess<Name extends RoleName>(
  name: Name,
  { config, seed, args = [], surroundings, hearer = {} }: RoleInProcess<Name>,
) {
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
  const heard = { ...hearer, observed: (own: Observed) => heardBy(hearer, own) };
  const role = roleProcess(roles[name], orders, readBuild(process.env), surroundings, heard);
  const signal = Promise.withResolvers<string>();
  return {
    ...role,
    /** Once what is to be served is served. Resolves to why it has ended, when nothing of it is left. */
    run: () => role.act(signal.promise),
    /** As a signal does it: no request leaves any more. */
    end: signal.resolve,
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

/** Each hook of either; all of them take one thing at most. */
function bothCalled(own: Hooks, more: Partial<Hooks>): Hooks {
  const names = Object.keys(more) as (keyof Hooks)[];
  const both = (name: keyof Hooks) => (seen?: never) => {
    own[name]?.(seen as never);
    more[name]?.(seen as never);
  };
  return { ...own, ...Object.fromEntries(names.map((name) => [name, both(name)])) };
}
